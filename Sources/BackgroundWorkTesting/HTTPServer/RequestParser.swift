/// Reads the head of an HTTP/1.1 request (RFC 9112), as much of it as a file server needs.
struct RequestParser {
    struct Head {
        var method: String
        var path: String
        var headers: [String: String]
    }

    enum Malformed: Error { case badRequest, headersTooLarge }

    static let maximumBytes = 64 << 10

    /// The head and how many bytes it took; `nil` while it is not complete.
    static func parse(_ bytes: [UInt8]) throws(Malformed) -> (head: Head, consumed: Int)? {
        guard let end = endOfHead(bytes) else {
            if bytes.count > maximumBytes { throw .headersTooLarge }
            return nil
        }
        guard end <= maximumBytes else { throw .headersTooLarge }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        let parts = lines.first?.split(separator: " ") ?? []
        guard parts.count == 3, parts[2].hasPrefix("HTTP/1.") else { throw .badRequest }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { throw .badRequest }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            headers[line[..<colon].lowercased()] = String(value)
        }
        return (Head(method: String(parts[0]), path: String(parts[1]), headers: headers), end + 4)
    }

    private static func endOfHead(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 4 else { return nil }
        return (0...bytes.count - 4).first {
            bytes[$0] == 13 && bytes[$0 + 1] == 10 && bytes[$0 + 2] == 13 && bytes[$0 + 3] == 10
        }
    }

    /// `bytes=a-b` or `bytes=a-`; other forms are treated as absent.
    static func range(_ header: String?) -> LoggedRequest.Range? {
        guard let header, header.hasPrefix("bytes=") else { return nil }
        let ends = header.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let start = Int64(ends[0]) else { return nil }
        return LoggedRequest.Range(start: start, end: Int64(ends[1]))
    }
}
