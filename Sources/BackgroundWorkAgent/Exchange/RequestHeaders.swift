#if os(Linux)
import BackgroundWorkTransfers

/// The header lines of a request, in the form libcurl takes them.
enum RequestHeaders {
    /// Ours win over the client's of the same name, so that each is sent once.
    ///
    /// - Parameters:
    ///   - own: The lines of the transfer's own.
    ///   - token: A bearer token that takes the place of whatever authorization the client gave.
    /// Throws a `.invalid` failure for a header that would break the request apart.
    static func lines(
        _ options: TransferOptions, own: [(name: String, value: String)], token: String?, url: TransferURL
    ) throws(TransferFailure) -> [String] {
        for (name, value) in own where !HeaderSyntax.isOneLine(value) {
            throw .invalid("the header \"\(name)\" contains characters that no header may have", url)
        }
        var lines = own.map { "\($0.name): \($0.value)" }
        var taken = Set(own.map { $0.name.lowercased() }).union(["range", "if-range", "accept-encoding"])
        if let token {
            guard HeaderSyntax.isOneLine(token) else {
                throw .invalid("the token contains characters that no header may have", url)
            }
            lines.append("Authorization: Bearer \(token)")
            taken.insert("authorization")
        }
        var namesUserAgent = false
        for (name, value) in options.headers.sorted(by: { $0.key < $1.key }) {
            guard HeaderSyntax.isToken(name), HeaderSyntax.isOneLine(value) else {
                throw .invalid("the header \"\(name.printable)\" contains characters that no header may have", url)
            }
            guard !HeaderSyntax.isTransportOwned(name) else {
                throw .invalid("the header \"\(name)\" is written by the transport itself; it cannot be given", url)
            }
            let lowercased = name.lowercased()
            if taken.contains(lowercased) { continue }
            if lowercased == "user-agent" { namesUserAgent = true }
            // To libcurl "Name:" means to leave the header out, and "Name;" to send it without a value.
            lines.append(value.isEmpty ? "\(name);" : "\(name): \(value)")
        }
        if !namesUserAgent { lines.append("User-Agent: BackgroundWork/1") }
        return lines
    }
}
#endif
