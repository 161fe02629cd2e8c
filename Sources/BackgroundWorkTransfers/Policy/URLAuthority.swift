/// The scheme and host of a URL, as far as proxies are chosen by them.
struct URLAuthority: Sendable, Hashable {
    /// Lower case; empty if there is none.
    var scheme = ""
    /// Without user, port, brackets and zone; lower case.
    var host = ""
    /// The same with the brackets and the zone of an IPv6 address.
    var writtenHost = ""

    init(_ url: String) {
        guard let mark = url.firstRange(of: "://") else { return }
        scheme = url[..<mark.lowerBound].lowercased()
        var authority = url[mark.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" && $0 != "\\" }
        if let at = authority.lastIndex(of: "@") { authority = authority[authority.index(after: at)...] }
        if authority.first == "[" {
            // The zone of a link-local address is this machine's affair.
            writtenHost = (authority.firstIndex(of: "]").map { authority[...$0] } ?? authority).lowercased()
            host = authority.dropFirst().prefix { $0 != "]" && $0 != "%" }.lowercased()
        } else {
            host = authority.prefix { $0 != ":" }.lowercased()
            writtenHost = host
        }
    }
}
