/// What comes before the body of a request.
struct RequestHead {
    var method: String
    /// The path with its query.
    var target: String
    var isVersion10: Bool
    /// Names in lower case.
    var headers: [String: String]

    /// The path without its query.
    var path: String { String(target.prefix { $0 != "?" }) }

    var waitsForContinue: Bool { headers["expect"]?.lowercased() == "100-continue" }

    /// Whether the client wants the connection to end with the answer.
    var isLast: Bool {
        let connection = headers["connection"]?.lowercased()
        return connection == "close" || isVersion10 && connection != "keep-alive"
    }
}
