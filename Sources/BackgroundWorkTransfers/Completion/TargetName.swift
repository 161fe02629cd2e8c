import BackgroundWorkFiles

/// The names for a file when the requested one is taken.
package enum TargetName {
    /// `name_1.ext`, `name_2.ext`, … in the same folder, shortened to the maximum length of a file name.
    package static func numbered(_ path: String, _ number: Int) -> String {
        let name = DurableFile.name(of: path)
        let folder = path.dropLast(name.count)
        // A dot at the beginning makes a file hidden; what follows it is its name.
        let dot = name.dropFirst().lastIndex(of: ".") ?? name.endIndex
        var stem = name[..<dot]
        let ending = "_\(number)\(name[dot...])"
        while stem.utf8.count + ending.utf8.count > SuggestedFileName.maximumBytes, stem.count > 1 {
            stem.removeLast()
        }
        return "\(folder)\(stem)\(ending)"
    }
}
