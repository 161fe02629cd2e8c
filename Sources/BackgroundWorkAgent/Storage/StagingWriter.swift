#if os(Linux)
/// Gathers the small pieces that libcurl hands out into large writes to a staging file.
final class StagingWriter {
    /// libcurl hands out 16 kB at a time; a system call for each would cost as much as the copying.
    private static let bufferBytes = 256 << 10
    private static let writeBackBytes: Int64 = 8 << 20

    let file: StagingFile
    /// The bytes handed to the file.
    private(set) var written: Int64
    private var buffer: UnsafeMutableRawBufferPointer?
    private var filled = 0
    private var writeBackFrom: Int64

    init(file: StagingFile, size: Int64) {
        self.file = file
        written = size
        writeBackFrom = size
    }

    deinit { buffer?.deallocate() }

    /// The bytes of the file together with those that wait in the buffer.
    var received: Int64 { written + Int64(filled) }

    func append(_ bytes: UnsafeRawBufferPointer) throws(SystemCallError) {
        let buffer = self.buffer ?? .allocate(byteCount: Self.bufferBytes, alignment: 64)
        self.buffer = buffer
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = rest.prefix(buffer.count - filled)
            UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]).copyMemory(from: .init(rebasing: part))
            filled += part.count
            rest = rest.dropFirst(part.count)
            if filled == buffer.count { try flush() }
        }
    }

    func flush() throws(SystemCallError) {
        guard let buffer, filled > 0 else { return }
        try file.write(UnsafeRawBufferPointer(rebasing: buffer[..<filled]), at: written)
        written += Int64(filled)
        filled = 0
        if written - writeBackFrom >= Self.writeBackBytes {
            file.beginWriteBack(from: writeBackFrom, bytes: written - writeBackFrom)
            writeBackFrom = written
        }
    }

    func startOver() throws(SystemCallError) {
        try file.truncate(to: 0)
        written = 0
        filled = 0
        writeBackFrom = 0
    }
}
#endif
