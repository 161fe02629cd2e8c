import BackgroundWorkFiles
import BackgroundWorkSystem

/// A file that is read at any place through a buffer, for many small records that follow each other.
final class FileWindow {
    private let descriptor: Int32
    private let path: String
    private let buffer: UnsafeMutableRawBufferPointer
    private var start: UInt64 = 0
    private var count = 0

    /// - Parameter descriptor: stays the caller's.
    init(descriptor: Int32, path: String, bytes: Int) {
        self.descriptor = descriptor
        self.path = path
        buffer = .allocate(byteCount: bytes, alignment: 16)
    }

    deinit { buffer.deallocate() }

    /// The bytes at a place, valid until the next call. Throws ``ArchiveError/notAnArchive(_:)`` where the file ends
    /// before, and ``FileError``.
    ///
    /// - Parameter wanted: at most as many as the buffer has.
    func bytes(at position: UInt64, count wanted: Int) throws -> UnsafeRawBufferPointer {
        let found = try available(at: position, atLeast: wanted)
        guard found.count >= wanted else { throw ArchiveError.notAnArchive("it ends too early") }
        return UnsafeRawBufferPointer(rebasing: found[..<wanted])
    }

    /// As many bytes as are in the buffer from a place on; fewer than `wanted` only at the end of the file.
    func available(at position: UInt64, atLeast wanted: Int) throws -> UnsafeRawBufferPointer {
        if position < start || position - start > UInt64(count) || count - Int(position - start) < wanted {
            try fill(at: position)
        }
        return UnsafeRawBufferPointer(rebasing: buffer[Int(position - start)..<count])
    }

    private func fill(at position: UInt64) throws {
        (start, count) = (position, 0)
        guard position <= UInt64(Int64.max) - UInt64(buffer.count) else { return }
        while count < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
            let got = SystemCall.repeated {
                pread(descriptor, rest.baseAddress, rest.count, off_t(position) + off_t(count))
            }
            guard got >= 0 else { throw FileError(action: "read", path: path, code: errno) }
            if got == 0 { return }
            count += got
        }
    }
}
