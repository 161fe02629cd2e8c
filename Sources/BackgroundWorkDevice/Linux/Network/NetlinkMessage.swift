import CBackgroundWorkLinux

/// One message of a netlink datagram (netlink(7)).
struct NetlinkMessage {
    let type: Int
    let flags: Int
    let payload: NativeBytes

    private static let headerLength = 16

    /// The messages of a datagram. An invalid length ends them, because the start of the next message is unknown.
    static func all(in datagram: [UInt8]) -> [NetlinkMessage] {
        var messages: [NetlinkMessage] = []
        var rest = NativeBytes(datagram[...])
        while let length = rest.integer(UInt32.self, at: 0).map(Int.init),
            length >= headerLength,
            let type = rest.integer(UInt16.self, at: 4),
            let flags = rest.integer(UInt16.self, at: 6),
            let payload = rest.part(headerLength..<length)
        {
            messages.append(NetlinkMessage(type: Int(type), flags: Int(flags), payload: payload))
            guard let next = rest.part(from: (length + 3) & ~3) else { break }
            rest = next
        }
        return messages
    }

    /// The error number that the kernel answers with in an error or at the end of a dump; 0 on success.
    var errorNumber: Int32 { -(payload.integer(Int32.self, at: 0) ?? 0) }

    /// The state changed during the dump, so the messages may be inconsistent.
    var isInterrupted: Bool { flags & Int(NLM_F_DUMP_INTR) != 0 }
}

/// One attribute of a route or link message (rtnetlink(7)): its type and its value.
struct NetlinkAttribute {
    let type: Int
    let value: NativeBytes

    private static let headerLength = 4
    /// The upper two bits say how the value is encoded.
    private static let typeBits: UInt16 = 0x3fff

    static func all(in bytes: NativeBytes) -> [NetlinkAttribute] {
        var attributes: [NetlinkAttribute] = []
        var rest = bytes
        while let length = rest.integer(UInt16.self, at: 0).map(Int.init),
            length >= headerLength,
            let type = rest.integer(UInt16.self, at: 2),
            let value = rest.part(headerLength..<length)
        {
            attributes.append(NetlinkAttribute(type: Int(type & typeBits), value: value))
            guard let next = rest.part(from: (length + 3) & ~3) else { break }
            rest = next
        }
        return attributes
    }
}

/// Bytes in the byte order of this machine, as the kernel sends them. A read outside of them gives `nil`.
struct NativeBytes {
    private let bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    var count: Int { bytes.count }

    func integer<T: FixedWidthInteger>(_ type: T.Type = T.self, at offset: Int) -> T? {
        guard offset >= 0, offset <= count - MemoryLayout<T>.size else { return nil }
        return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) }
    }

    func part(_ range: Range<Int>) -> NativeBytes? {
        guard range.lowerBound >= 0, range.upperBound <= count else { return nil }
        return NativeBytes(bytes[(bytes.startIndex + range.lowerBound)..<(bytes.startIndex + range.upperBound)])
    }

    func part(from offset: Int) -> NativeBytes? {
        guard offset >= 0, offset <= count else { return nil }
        return NativeBytes(bytes.dropFirst(offset))
    }
}
