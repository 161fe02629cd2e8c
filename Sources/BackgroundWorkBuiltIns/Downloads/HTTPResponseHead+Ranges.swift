import BackgroundWorkHTTP
import BackgroundWorkTransfers

extension HTTPResponseHead: RangeResponse {
    /// The body's content coding was or must be decoded.
    package var isEncoded: Bool {
        headers["Content-Encoding"].map { !$0.isEmpty && $0.lowercased() != "identity" } ?? false
    }
    package var contentRange: String? { headers["Content-Range"] }
    package var entityTag: String? { headers.values(of: "ETag").last }
    package var lastModified: String? { headers.values(of: "Last-Modified").last }
    /// Of an encoded body none is expected.
    package var hasInvalidLength: Bool {
        guard !isEncoded, let text = headers["Content-Length"] else { return false }
        // The same number may be repeated (RFC 9112, section 6.3).
        let numbers = Set(text.split(separator: ",", omittingEmptySubsequences: false).map { $0.filter { $0 != " " } })
        return numbers.count != 1 || numbers.contains { Int64($0) == nil || $0.hasPrefix("-") || $0.hasPrefix("+") }
    }

    /// Whether the server says that it takes ranges of bytes.
    var announcesRanges: Bool { headers["Accept-Ranges"]?.lowercased() == "bytes" }
}
