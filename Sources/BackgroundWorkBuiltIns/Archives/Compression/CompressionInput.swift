import BackgroundWorkArchive
import BackgroundWorkFiles
import BackgroundWorkModel
import BackgroundWorkSystem
import BackgroundWorkTransfers

/// The file or folder that is to be compressed, open.
final class CompressionInput {
    let descriptor: Int32
    let path: String
    let status: stat

    var isFolder: Bool { status.st_mode & S_IFMT == S_IFDIR }
    /// The last component of its path, with which all names in the archive begin.
    var name: [UInt8] { Array(DurableFile.name(of: path).utf8) }
    /// The folder that has it.
    var folder: String { DurableFile.folder(of: path) }

    /// Opens what the path leads to. Throws ``RefusedPathError``, ``FileError``, and ``ArchiveError`` for something that
    /// is neither a file nor a folder.
    init(_ path: String, _ rules: FileRules) throws {
        self.path = path
        descriptor = try rules.openForReading(path)
        var status = stat()
        let answer = fstat(descriptor, &status)
        self.status = status
        guard answer == 0 else { throw FileError(action: "inspect", path: path, code: errno) }
        guard [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else {
            throw ArchiveError.refused("\(path) is neither a file nor a folder")
        }
    }

    deinit { close(descriptor) }
}
