#if !canImport(Darwin)
#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// One event of inotify(7).
struct InotifyEvent: Sendable {
    /// Which watch it belongs to.
    var watch: Int32
    private var mask: UInt32
    /// The entry of the folder; empty when it is about the folder itself.
    var name: String

    /// Events were lost.
    var isOverflow: Bool { has(IN_Q_OVERFLOW) }

    /// The watched folder was removed, moved, or is watched no more.
    var isFolderGone: Bool { has(IN_IGNORED) || has(IN_DELETE_SELF) || has(IN_MOVE_SELF) }

    /// An entry came or went.
    var movesEntries: Bool { has(IN_CREATE) || has(IN_DELETE) || has(IN_MOVED_FROM) || has(IN_MOVED_TO) }

    private func has(_ bit: some BinaryInteger) -> Bool { mask & UInt32(truncatingIfNeeded: bit) != 0 }

    /// The events that wait; `nil` when there are none.
    static func read(from descriptor: Int32) -> [InotifyEvent]? {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let count = systemRead(descriptor, &buffer, buffer.count)
        guard count > 0 else { return nil }
        return buffer.withUnsafeBytes { parse(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }

    private static func parse(_ bytes: UnsafeRawBufferPointer) -> [InotifyEvent] {
        // wd, mask, cookie and the name's length, four bytes each; then the name, padded with NUL.
        let header = 16
        var events: [InotifyEvent] = []
        var offset = 0
        while offset + header <= bytes.count {
            let length = Int(bytes.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
            let end = min(offset + header + length, bytes.count)
            events.append(
                InotifyEvent(
                    watch: bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self),
                    mask: bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self),
                    name: String(decoding: bytes[(offset + header)..<end].prefix { $0 != 0 }, as: UTF8.self)))
            offset = end
        }
        return events
    }
}

/// Inside a type that has a `read` of its own, the C library's is out of sight.
private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
    read(descriptor, bytes, count)
}
#endif
