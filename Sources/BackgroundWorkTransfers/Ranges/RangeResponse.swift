/// What the head of a response says about the file and about the part of it that the body is.
package protocol RangeResponse {
    var status: Int { get }
    /// Of the body, in bytes; `nil` if the server has not announced it.
    var contentLength: Int64? { get }
    /// Whether the announced length is not valid. The end of such a body is unknown.
    var hasInvalidLength: Bool { get }
    /// Whether the body has a content coding that must be decoded.
    var isEncoded: Bool { get }
    var contentRange: String? { get }
    var entityTag: String? { get }
    var lastModified: String? { get }
}

extension RangeResponse {
    /// What `If-Range` may carry: a strong entity tag, or else the date (RFC 9110, section 13.1.5). A weak tag says
    /// nothing about single bytes.
    package var validator: String? {
        let candidate = strongEntityTag ?? lastModified.flatMap { $0.isEmpty ? nil : $0 }
        return candidate.flatMap { text in text.utf8.contains { $0 < 0x20 || $0 == 0x7f } ? nil : text }
    }

    /// The entity tag, if it identifies the file byte by byte.
    package var strongEntityTag: String? {
        entityTag.flatMap { $0.hasPrefix("\"") && $0.count >= 2 && $0.hasSuffix("\"") ? $0 : nil }
    }
}

/// The version of the file on the server that received bytes belong to.
package struct RecordedEntity: Sendable, Hashable {
    /// A strong ETag or a Last-Modified date, as sent; `nil` when the server gave neither, and nothing can be resumed.
    package var validator: String?
    /// The length that the server announced, in bytes.
    package var total: Int64?

    package init(validator: String?, total: Int64?) {
        self.validator = validator
        self.total = total
    }
}
