import BackgroundWorkFoundation

/// Collects the texts by which the secrets of a transfer could be repeated: whole, and their parts.
struct SecretCollection {
    /// Shorter ones are not collected: they would be found in the middle of other words. In bytes.
    private static let shortest = 6
    /// The same for a part of a header, a query or a body, which may be an ordinary word.
    private static let shortestPart = 16

    private var texts: Set<String> = []

    /// The longest first: one may contain another.
    var sorted: [SecretText] {
        texts.sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }.map(SecretText.init)
    }

    mutating func add(_ text: String?) {
        if let text, text.utf8.count >= Self.shortest { texts.insert(text) }
    }

    mutating func add(_ options: TransferOptions) {
        add(members: options.headers)
        switch options.authentication {
        case .basic(let user, let password), .digest(let user, let password):
            add(password)
            addBasic("\(user):\(password)")
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

    /// User and password as a header has them (RFC 7617), and with what is left of it without its padding.
    private mutating func addBasic(_ credentials: String) {
        let header = Data(credentials.utf8).base64EncodedString()
        add(header)
        if header.hasSuffix("=") { add(String(header.prefix { $0 != "=" })) }
    }

    mutating func add(members: [String: String]) { add(members: members.lazy.map { ($0.key, $0.value) }) }

    /// Headers or form fields.
    mutating func add(members: some Sequence<(String, String)>) {
        for (name, value) in members {
            if SecretHeader.isSecret(name) {
                add(value)
                // What follows the name of a scheme: "Bearer …".
                if let space = value.firstIndex(of: " ") {
                    let credentials = String(value[value.index(after: space)...])
                    add(credentials)
                    if value[..<space].lowercased() == "basic" { add(decoded: credentials) }
                }
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
        if let meant = PercentEncoding.decoded(String(user)).flatMap({ String(validating: $0, as: UTF8.self) }) {
            addBasic(meant)
        }
        if let colon = user.firstIndex(of: ":") {
            let password = user[user.index(after: colon)...]
            add(text: password)
        }
    }

    /// What a header of the scheme Basic says.
    private mutating func add(decoded credentials: String) {
        guard let bytes = Data(base64Encoded: credentials), let text = String(validating: bytes, as: UTF8.self) else {
            return
        }
        add(text)
        addBasic(text)
        if let colon = text.firstIndex(of: ":") { add(String(text[text.index(after: colon)...])) }
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
