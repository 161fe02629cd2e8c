/// The version of the file on the server that a staging file's bytes belong to.
struct RecordedEntity: Sendable, Hashable {
    /// A strong ETag or a Last-Modified date, as sent; `nil` when the server gave neither, and nothing can be resumed.
    var validator: String?
    /// The length that the server promised, in bytes.
    var total: Int64?
}
