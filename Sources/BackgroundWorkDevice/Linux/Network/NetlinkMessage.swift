#if os(Linux)
import CBackgroundWorkLinux

/// One message of a netlink datagram (netlink(7)).
struct NetlinkMessage {
    let type: Int
    let flags: Int
    let payload: NativeBytes

    private static let headerLength = 16

    /// The messages of a datagram. A length that cannot be ends them: what follows has no place to start.
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

    /// The error number that the kernel answers with in an error or at the end of a dump; 0 when all went well.
    var errorNumber: Int32 { -(payload.integer(Int32.self, at: 0) ?? 0) }

    /// Things changed while they were dumped, so they may not fit together.
    var isInterrupted: Bool { flags & Int(NLM_F_DUMP_INTR) != 0 }
}
#endif
