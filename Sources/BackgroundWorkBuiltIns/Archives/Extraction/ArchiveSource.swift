import BackgroundWorkArchive
import BackgroundWorkFiles
import BackgroundWorkModel
import BackgroundWorkSystem
import BackgroundWorkTransfers

/// The archive that is to be extracted, open.
final class ArchiveSource {
    let descriptor: Int32
    let status: stat
    let reader: ZipReader

    init(_ path: String, _ rules: FileRules) throws {
        descriptor = try rules.openForReading(path)
        var status = stat()
        let answer = fstat(descriptor, &status)
        self.status = status
        do {
            guard answer == 0 else { throw FileError(action: "inspect", path: path, code: errno) }
            guard status.st_mode & S_IFMT == S_IFREG else { throw ArchiveError.refused("\(path) is not a file") }
            reader = try ZipReader(descriptor: descriptor, path: path)
        } catch {
            close(descriptor)
            throw error
        }
    }

    deinit { close(descriptor) }
}
