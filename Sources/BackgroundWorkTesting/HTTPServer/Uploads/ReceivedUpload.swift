/// The body of a PUT or POST as a local server received it.
public struct ReceivedUpload: Sendable, Hashable {
    /// The request's ``LoggedRequest/ordinal``.
    public let ordinal: Int
    /// `PUT` or `POST`.
    public let method: String
    /// The request's headers, names in lower case.
    public let headers: [String: String]
    /// How many bytes arrived, without what chunks add.
    public let byteCount: Int64
    /// The first bytes of the body, all of them unless there were more than the server keeps.
    public let bytes: [UInt8]
    /// The SHA-256 of all that arrived, as 64 lowercase hexadecimal digits.
    public let sha256: String
    /// Whether the body came to its end.
    public let isComplete: Bool

    /// The parts of a `multipart/form-data` body (RFC 7578), in their order.
    ///
    /// Throws ``FormError`` when it is none, is malformed, or was not kept as a whole.
    public func formParts() throws -> [FormPart] {
        guard let type = headers["content-type"], type.lowercased().hasPrefix("multipart/form-data"),
            let boundary = HeaderParameters(type)["boundary"], !boundary.isEmpty
        else { throw FormError.notAForm(contentType: headers["content-type"]) }
        guard isComplete, byteCount == bytes.count else {
            throw FormError.notWhole(received: byteCount, kept: bytes.count)
        }
        return try FormReader(bytes, boundary: boundary).parts()
    }
}
