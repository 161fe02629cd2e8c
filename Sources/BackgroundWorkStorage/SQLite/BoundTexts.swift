/// The texts that a statement is run with, in one piece of memory of their own, so that SQLite need not copy each.
///
/// As large as what the runs before have needed, up to a limit; what does not fit is not kept.
final class BoundTexts {
    /// The most memory that one statement keeps, in bytes.
    private static let mostBytes = 32_768
    private static let fewestBytes = 256

    private var memory = UnsafeMutableBufferPointer<CChar>(start: nil, count: 0)
    private var used = 0
    /// How many bytes there were for which there was no room.
    private var missed = 0

    deinit { memory.deallocate() }

    /// Where the text lies until ``forget()``; `nil` if there is no room, or it has no bytes.
    func keep(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafePointer<CChar>? {
        guard let source = bytes.baseAddress, !bytes.isEmpty else { return nil }
        guard let start = memory.baseAddress, bytes.count <= memory.count - used else {
            missed += bytes.count
            return nil
        }
        let place = start + used
        UnsafeMutableRawPointer(place).copyMemory(from: source, byteCount: bytes.count)
        used += bytes.count
        return UnsafePointer(place)
    }

    /// The statement has run and will not look at the texts again.
    func forget() {
        let needed = used + missed
        used = 0
        guard missed > 0 else { return }
        missed = 0
        guard memory.count < Self.mostBytes else { return }
        memory.deallocate()
        var size = Self.fewestBytes
        while size < needed && size < Self.mostBytes { size *= 2 }
        memory = .allocate(capacity: size)
    }
}
