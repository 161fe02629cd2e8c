#if os(Linux)
/// One attribute of a route or link message (rtnetlink(7)): a number that says what it is, and its value.
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
#endif
