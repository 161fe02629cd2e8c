/// How a file travels in an upload.
public enum UploadForm: Sendable, Hashable, Codable {
    /// The file's bytes are the body. JSON: `"form": "body"`, `mimeType`.
    case body(mimeType: String? = nil)
    /// One part of a `multipart/form-data` body (RFC 7578), after the fields. JSON: `"form": "multipart"`,
    /// `fileFieldName` (`file`), `fileName` (the path's last component), `mimeType`, `fields`.
    case multipart(
        fieldName: String = "file", fileName: String? = nil, mimeType: String? = nil, fields: [String: String] = [:])
    /// The tus protocol, version 1.0 (https://tus.io/protocols/resumable-upload): `url` is the endpoint that makes
    /// uploads, and what the server has got stays with it when the connection breaks. JSON: `"form": "tus"`,
    /// `metadata`.
    case tus(metadata: [String: String] = [:])
}
