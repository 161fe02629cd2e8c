/// A field or a file of a form.
public struct FormPart: Sendable, Hashable {
    /// The field's name.
    public let name: String
    /// The file's name; `nil` for a field that is no file.
    public let filename: String?
    /// The part's `Content-Type`.
    public let contentType: String?
    /// The part's headers, names in lower case.
    public let headers: [String: String]
    /// The content.
    public let bytes: [UInt8]

    /// The content as UTF-8.
    public var text: String { String(decoding: bytes, as: UTF8.self) }
}
