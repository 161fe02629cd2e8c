import FoundationEssentials

/// A folder that is removed with its object.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "shims-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file, and returns its path.
    func file(_ name: String, _ content: String) -> String {
        let path = path + "/" + name
        _ = FileManager.default.createFile(atPath: path, contents: Data(content.utf8))
        return path
    }
}
