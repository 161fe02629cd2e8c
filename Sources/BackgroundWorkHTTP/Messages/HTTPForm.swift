import BackgroundWorkTransfers

/// A `multipart/form-data` body with one file, after the fields (RFC 7578). It is sent in constant memory, with a
/// `Content-Type` of its own. A file that changes while it is sent fails the request.
public struct HTTPForm: Sendable {
    /// A regular file, absolute.
    public var filePath: String
    /// The name of the file's part.
    public var fieldName: String
    /// The file's name for the server; `nil` for the last component of its path.
    public var fileName: String?
    /// Of the file; `nil` for `application/octet-stream`.
    public var mimeType: String?
    /// Texts, by the names of their parts.
    public var fields: [String: String]
    /// The file, if it is open; `nil` to open it when the request is sent.
    package var file: SourceFile?

    /// Creates a form. It is checked when it is sent.
    public init(
        filePath: String, fieldName: String = "file", fileName: String? = nil, mimeType: String? = nil,
        fields: [String: String] = [:]
    ) {
        self.filePath = filePath
        self.fieldName = fieldName
        self.fileName = fileName
        self.mimeType = mimeType
        self.fields = fields
    }

    /// What goes around the file's bytes, with a random boundary, which two forms do not share.
    package let boundary = "bgwork-" + (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()

    package var frame: MultipartForm {
        MultipartForm(
            boundary: boundary, fieldName: fieldName,
            fileName: fileName ?? String(filePath.split(separator: "/").last ?? "file"), mimeType: mimeType,
            fields: fields)
    }
}
