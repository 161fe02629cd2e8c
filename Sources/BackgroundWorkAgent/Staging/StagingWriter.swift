/// Collects the small pieces that libcurl delivers into large writes to a staging file.
final class StagingWriter {
    /// libcurl delivers 16 kB at a time; a system call for each would cost as much as the copying.
    private static let bufferBytes = 256 << 10
    /// Used for small files and for the first piece of a large one.
    private static let firstBufferBytes = 16 << 10
    private static let writeBackBytes: Int64 = 8 << 20

    let file: StagingFile
    /// How far the file is written.
    private(set) var written: Int64
    private var buffer: UnsafeMutableRawBufferPointer?
    private var filled = 0
    private var writeBackFrom: Int64
    private var fresh: Int64 = 0
    private let isLarge: Bool
    private let onWrite: (UnsafeRawBufferPointer, Int64) -> Void

    /// - Parameters:
    ///   - position: Where in the file the first byte goes.
    ///   - isLarge: Whether it may use more memory for fewer system calls.
    ///   - onWrite: Called with each piece and its offset after it was written.
    init(file: StagingFile, position: Int64, isLarge: Bool, onWrite: @escaping (UnsafeRawBufferPointer, Int64) -> Void)
    {
        self.file = file
        self.isLarge = isLarge
        self.onWrite = onWrite
        written = position
        writeBackFrom = position
    }

    deinit { buffer?.deallocate() }

    /// How far the file will be written including the buffer.
    var received: Int64 { written + Int64(filled) }

    func append(_ bytes: UnsafeRawBufferPointer) throws(SystemCallError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let buffer = self.buffer ?? .allocate(byteCount: Self.firstBufferBytes, alignment: 16)
            self.buffer = buffer
            let part = rest.prefix(buffer.count - filled)
            UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]).copyMemory(from: .init(rebasing: part))
            filled += part.count
            rest = rest.dropFirst(part.count)
            if filled == buffer.count { try enlargeOrFlush(buffer) }
        }
    }

    private func enlargeOrFlush(_ buffer: UnsafeMutableRawBufferPointer) throws(SystemCallError) {
        guard buffer.count < Self.bufferBytes, isLarge else { return try flush() }
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.bufferBytes, alignment: 64)
        larger.copyMemory(from: UnsafeRawBufferPointer(buffer))
        buffer.deallocate()
        self.buffer = larger
    }

    /// - Parameter keepingBuffer: Whether the memory is kept for the next bytes.
    func flush(keepingBuffer: Bool = true) throws(SystemCallError) {
        defer {
            if !keepingBuffer {
                buffer?.deallocate()
                buffer = nil
            }
        }
        guard let buffer, filled > 0 else { return }
        let piece = UnsafeRawBufferPointer(rebasing: buffer[..<filled])
        try file.write(piece, at: written)
        onWrite(piece, written)
        written += Int64(filled)
        fresh += Int64(filled)
        filled = 0
        if written - writeBackFrom >= Self.writeBackBytes {
            file.beginWriteBack(from: writeBackFrom, bytes: written - writeBackFrom)
            writeBackFrom = written
        }
    }

    /// The bytes written since the last call.
    func takeFresh() -> Int64 {
        defer { fresh = 0 }
        return fresh
    }

    /// The next bytes are the first of the file, which was emptied.
    func startOver() {
        written = 0
        filled = 0
        fresh = 0
        writeBackFrom = 0
    }
}
