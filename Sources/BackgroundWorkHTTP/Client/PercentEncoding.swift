/// Text as a part of a URL (RFC 3986, section 2).
enum PercentEncoding {
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// All but unreserved characters are encoded, `+` and `/` too, so the text cannot end the part that it is in.
    static func component(_ text: some StringProtocol) -> String { encoded(text) { _ in false } }

    /// The same, but for the slashes between segments.
    static func path(_ text: some StringProtocol) -> String { encoded(text) { $0 == UInt8(ascii: "/") } }

    private static func encoded(_ text: some StringProtocol, except isKept: (UInt8) -> Bool) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if isUnreserved(byte) || isKept(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
        default: "-._~".utf8.contains(byte)
        }
    }
}
