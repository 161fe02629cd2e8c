import BackgroundWorkFiles
import BackgroundWorkSystem
import BackgroundWorkFoundation

/// What has arrived faster than it is read, in a temporary file that has no name. First in, first out; on one queue.
final class OverflowFile {
    private static let pieceBytes = 256 << 10

    private let descriptor: Int32
    private let path: String
    private var written: Int64 = 0
    private var taken: Int64 = 0

    /// Throws a `FileError`.
    init() throws {
        let folder = FileManager.default.temporaryDirectory
        path = folder.appending(path: "bgwork-http-\(UUID().uuidString)").path(percentEncoded: false)
        descriptor = SystemCall.repeated { [path] in
            open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        }
        guard descriptor >= 0 else { throw FileError(action: "create", path: path, code: errno) }
        unlink(path)
    }

    deinit { close(descriptor) }

    var isEmpty: Bool { taken == written }

    /// Throws a `FileError`.
    func append(_ bytes: UnsafeRawBufferPointer) throws {
        try DurableFile.write(bytes, to: descriptor, path: path)
        written += Int64(bytes.count)
    }

    /// The next bytes, a part of them if there are many. Throws a `FileError`.
    func next() throws -> Data {
        let wanted = Int(min(written - taken, Int64(Self.pieceBytes)))
        var piece = Data(count: wanted)
        let count = piece.withUnsafeMutableBytes { space in
            SystemCall.repeated { pread(descriptor, space.baseAddress, wanted, off_t(taken)) }
        }
        guard count > 0 else { throw FileError(action: "read", path: path, code: count < 0 ? errno : EIO) }
        taken += Int64(count)
        return piece.prefix(count)
    }
}
