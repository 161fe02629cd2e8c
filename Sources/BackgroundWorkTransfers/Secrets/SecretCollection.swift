import BackgroundWorkFoundation

/// Collects the texts by which the secrets of a transfer could be repeated: whole, and their parts.
struct SecretCollection {
    /// Shorter ones are not collected: they would be found in the middle of other words. In bytes.
    private static let shortest = 6
    /// The same for a part of a header, a query or a body, which may be an ordinary word.
    private static let shortestPart = 16

    private(set) var texts: Set<String> = []

    /// The longest first: one may contain another.
    var sorted: [String] { texts.sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) } }

    mutating func add(_ text: String?) {
        if let text, text.utf8.count >= Self.shortest { texts.insert(text) }
    }

    mutating func add(_ options: TransferOptions) {
        add(members: options.headers)
        switch options.authentication {
        case .basic(let user, let password), .digest(let user, let password):
            add(password)
            add(Data("\(user):\(password)".utf8).base64EncodedString())
        case .bearer(let token): add(token)
        case nil: break
        }
        if let refresh = options.tokenRefresh {
            add(url: refresh.url)
            add(members: refresh.headers)
            if let body = refresh.body {
                add(body)
                add(partsOf: body[...])
            }
        }
        add(options.tls.clientKeyPassword)
        if case .url(let proxy) = options.proxy { add(url: proxy) }
    }

    /// Headers or form fields.
    mutating func add(members: [String: String]) {
        for (name, value) in members {
            if SecretHeader.isSecret(name) {
                add(value)
                // What follows the name of a scheme: "Bearer …".
                if let space = value.firstIndex(of: " ") { add(String(value[value.index(after: space)...])) }
                add(partsOf: value[...])
            } else {
                add(url: value)
            }
        }
    }

    /// The user info and the query. A query without "=" is a single word.
    mutating func add(url: String) {
        guard let mark = url.firstRange(of: "://"), ShownURL.isShortened(url) else { return }
        let request = url.prefix { $0 != "#" }
        if let query = request.firstIndex(of: "?").map({ request[request.index(after: $0)...] }) {
            if query.contains("=") { add(String(query)) }
            add(partsOf: query)
        }
        let beforeQuery = request.prefix { $0 != "?" }
        guard let at = beforeQuery.lastIndex(of: "@"), mark.upperBound <= at, URLParts(url).hasUser else { return }
        let user = beforeQuery[mark.upperBound..<at]
        add(String(user))
        if let colon = user.firstIndex(of: ":") {
            let password = user[user.index(after: colon)...]
            add(text: password)
        }
    }

    /// As it is written, and as it is meant.
    private mutating func add(text: Substring) {
        add(String(text))
        add(PercentEncoding.decoded(String(text)).flatMap { String(validating: $0, as: UTF8.self) })
    }

    private mutating func add(partsOf text: Substring) {
        for part in text.split(whereSeparator: { " ;,=&?\"'{}[]:()<>\n".contains($0) })
        where part.utf8.count >= Self.shortestPart {
            add(text: part)
        }
    }
}
