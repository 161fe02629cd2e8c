/// The input's path where it comes from the output of an earlier step, by a merge.
enum EarlierOutputPath {
    private enum Keys: String, CodingKey, CaseIterable { case inputPath, folderPath, filePath, savePath }

    /// - Parameter inputPath: the field of that name, if there is one.
    static func decode(_ decoder: any Decoder, inputPath: String?) throws -> String {
        if let inputPath { return inputPath }
        let container = try decoder.container(keyedBy: Keys.self)
        for key in Keys.allCases {
            if let path = try container.decodeIfPresent(String.self, forKey: key) { return path }
        }
        // For the error that names the missing field.
        return try container.decode(String.self, forKey: .inputPath)
    }
}
