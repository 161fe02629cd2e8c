/// The scheme and host of a URL, as far as proxies are chosen by them.
struct URLAuthority: Sendable, Hashable {
    /// Lower case; empty if there is none.
    var scheme = ""
    /// Without user, port and brackets; lower case.
    var host = ""

    init(_ url: String) {
        guard let mark = url.firstRange(of: "://") else { return }
        scheme = url[..<mark.lowerBound].lowercased()
        var authority = url[mark.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" && $0 != "\\" }
        if let at = authority.lastIndex(of: "@") { authority = authority[authority.index(after: at)...] }
        if authority.first == "[" {
            // The zone of a link-local address is this machine's affair.
            host = authority.dropFirst().prefix { $0 != "]" && $0 != "%" }.lowercased()
        } else {
            host = authority.prefix { $0 != ":" }.lowercased()
        }
    }
}
