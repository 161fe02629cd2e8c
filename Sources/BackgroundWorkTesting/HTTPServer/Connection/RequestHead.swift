/// The head of a request: all that comes before its body.
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

/// Parses the head of an HTTP/1.1 request (RFC 9112), as far as a file server needs it.
enum RequestParser {
    enum Malformed: Error { case badRequest, headersTooLarge }

    static let maximumBytes = 64 << 10

    /// The head and its length in bytes; `nil` while it is not complete.
    static func parse(_ bytes: [UInt8]) throws(Malformed) -> (head: RequestHead, consumed: Int)? {
        guard let end = endOfHead(bytes) else {
            if bytes.count > maximumBytes { throw .headersTooLarge }
            return nil
        }
        guard end <= maximumBytes else { throw .headersTooLarge }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        let parts = lines.first?.split(separator: " ") ?? []
        guard parts.count == 3, parts[2].hasPrefix("HTTP/1.") else { throw .badRequest }
        let head = RequestHead(
            method: String(parts[0]), target: String(parts[1]), isVersion10: parts[2] == "HTTP/1.0",
            headers: try fields(lines.dropFirst()))
        return (head, end + 4)
    }

    /// Parses header fields, of requests and of the parts of a form.
    static func fields(_ lines: some Sequence<Substring>) throws(Malformed) -> [String: String] {
        var fields: [String: String] = [:]
        for line in lines {
            guard let colon = line.firstIndex(of: ":") else { throw .badRequest }
            var value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            while let last = value.last, last == " " || last == "\t" { value.removeLast() }
            let name = line[..<colon].lowercased()
            fields[name] = fields[name].map { "\($0), \(value)" } ?? String(value)
        }
        return fields
    }

    private static func endOfHead(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 4 else { return nil }
        return (0...bytes.count - 4).first {
            bytes[$0] == 13 && bytes[$0 + 1] == 10 && bytes[$0 + 2] == 13 && bytes[$0 + 3] == 10
        }
    }
}
