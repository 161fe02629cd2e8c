#if os(Linux)
import BackgroundWorkTransfers

/// The header lines of a request, in the form libcurl takes them.
enum RequestHeaders {
    /// Ours win over the client's of the same name, so that each is sent once.
    private static let own: Set<String> = ["range", "if-range", "accept-encoding"]

    /// Throws a `.invalid` failure for a header that would break the request apart.
    static func lines(
        for specification: TransferSpecification, url: TransferURL, offset: Int64, validator: String?
    ) throws(TransferFailure) -> [String] {
        // Compressed bytes could neither be resumed nor counted.
        var lines = ["Accept-Encoding: identity"]
        if offset > 0, let validator {
            lines.append("Range: bytes=\(offset)-")
            lines.append("If-Range: \(validator)")
        }
        var namesUserAgent = false
        for (name, value) in specification.headers.sorted(by: { $0.key < $1.key }) {
            guard isToken(name), !value.utf8.contains(where: { $0 == 0 || $0 == 10 || $0 == 13 }) else {
                throw .invalid("the header \"\(name.printable)\" contains characters that no header may have", url)
            }
            let lowercased = name.lowercased()
            if own.contains(lowercased) { continue }
            if lowercased == "user-agent" { namesUserAgent = true }
            // To libcurl "Name:" means to leave the header out, and "Name;" to send it without a value.
            lines.append(value.isEmpty ? "\(name);" : "\(name): \(value)")
        }
        if !namesUserAgent { lines.append("User-Agent: BackgroundWork/1") }
        return lines
    }

    /// RFC 9110, section 5.6.2.
    private static func isToken(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "A")...UInt8(ascii: "Z"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }
}
#endif
