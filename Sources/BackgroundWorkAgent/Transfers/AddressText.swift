#if os(Linux)
import Glibc

/// An address in its usual notation.
enum AddressText {
    /// From the 4 or 16 bytes in network order.
    static func text(_ bytes: [UInt8]) -> String {
        var bytes = bytes
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, &bytes, &text, socklen_t(text.count)) != nil else {
            return "of an unknown family"
        }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
#endif
