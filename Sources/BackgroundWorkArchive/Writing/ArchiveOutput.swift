import BackgroundWorkFiles
import BackgroundWorkSystem

/// A file that is written through a buffer, and changed behind that where it has been written already.
final class ArchiveOutput {
    /// At least one piece of input as Deflate may enlarge it, with the longest header.
    static let bufferBytes = 1 << 20

    private let descriptor: Int32
    private let path: String
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferBytes, alignment: 16)
    private var used = 0
    private var flushed: UInt64 = 0

    /// - Parameter descriptor: of an empty file. It stays the caller's.
    init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { buffer.deallocate() }

    /// How many bytes have been written.
    var position: UInt64 { flushed + UInt64(used) }

    /// The part of the buffer that is free. What is put there is written by ``advance(_:)``.
    var free: UnsafeMutableRawBufferPointer { UnsafeMutableRawBufferPointer(rebasing: buffer[used...]) }

    func advance(_ count: Int) { used += count }

    /// Makes so many bytes of the buffer free, which must not be more than it has.
    func reserve(_ count: Int) throws {
        if buffer.count - used < count { try flush() }
    }

    func write(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try write($0) } }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            if used == buffer.count { try flush() }
            let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(buffer.count - used))
            free.copyMemory(from: piece)
            used += piece.count
            rest = rest.dropFirst(piece.count)
        }
    }

    /// Takes back what was written from a position on, which must be in the buffer still.
    func rewind(to position: UInt64) {
        precondition(position >= flushed && position <= self.position)
        used = Int(position - flushed)
    }

    /// Replaces bytes that were written.
    func replace(at position: UInt64, with bytes: [UInt8]) throws {
        if position < flushed {
            let written = Int(min(UInt64(bytes.count), flushed - position))
            try bytes[..<written].withUnsafeBytes { try writeBehind($0, at: position) }
            if written < bytes.count { try replace(at: flushed, with: Array(bytes[written...])) }
            return
        }
        let start = Int(position - flushed)
        buffer[start..<start + bytes.count].copyBytes(from: bytes)
    }

    func flush() throws {
        try DurableFile.write(UnsafeRawBufferPointer(rebasing: buffer[..<used]), to: descriptor, path: path)
        flushed += UInt64(used)
        used = 0
    }

    private func writeBehind(_ bytes: UnsafeRawBufferPointer, at position: UInt64) throws {
        var done = 0
        while done < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
            let count = SystemCall.repeated {
                pwrite(descriptor, rest.baseAddress, rest.count, off_t(position) + off_t(done))
            }
            guard count > 0 else { throw FileError(action: "write", path: path, code: count == 0 ? EIO : errno) }
            done += count
        }
    }
}
