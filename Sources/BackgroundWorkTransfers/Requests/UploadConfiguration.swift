import BackgroundWorkModel

/// An upload of one file, as a host asks for it. As JSON it is the input of `BackgroundUploadWorker`.
///
/// The file must stay as it is until the upload has ended: its size, modification time and identity are recorded when
/// it is handed off, and an upload of a file that has changed since fails.
///
/// ```swift
/// var upload = UploadConfiguration(url: "https://example.com/photos", filePath: "/home/me/photo.jpg")
/// upload.form = .multipart(fields: ["album": "summer"])
/// upload.method = "POST"
/// ```
public struct UploadConfiguration: Sendable, Hashable {
    /// Where to send it: http or https. JSON: `url`.
    public var url: String
    /// The file, absolute. JSON: `filePath`.
    public var filePath: String
    /// `PUT`, `POST` or `PATCH`; of no meaning to ``UploadForm/tus(metadata:)``. JSON: `method`; left out it is `POST`
    /// for a multipart form and `PUT` otherwise.
    public var method: String
    /// How the file is sent. JSON: see ``UploadForm``; left out it is the body.
    public var form: UploadForm
    /// The session that it belongs to; `nil`: the scheduler's. JSON: `sessionIdentifier`.
    public var sessionIdentifier: String?
    /// What uploads have in common with downloads.
    public var options = TransferOptions()

    /// Creates an upload of a file as the body of a `PUT`.
    public init(url: String, filePath: String, method: String = "PUT", form: UploadForm = .body()) {
        self.url = url
        self.filePath = filePath
        self.method = method
        self.form = form
    }
}

extension UploadConfiguration: Codable {
    fileprivate enum FormName: String, Codable {
        case body, multipart, tus

        func takes(_ key: CodingKeys) -> Bool {
            switch key {
            case .mimeType: self != .tus
            case .fileFieldName, .fileName, .fields: self == .multipart
            case .metadata: self == .tus
            case .url, .filePath, .method, .form, .sessionIdentifier: true
            }
        }
    }
    fileprivate enum CodingKeys: String, CodingKey {
        case url, filePath, method, form, sessionIdentifier, fileFieldName, fileName, mimeType, fields, metadata
    }

    /// Those that belong to a form.
    private static let members: [CodingKeys] = [.fileFieldName, .fileName, .mimeType, .fields, .metadata]

    /// The form of a document without one: fields of a form imply that form.
    private static func impliedForm(by container: KeyedDecodingContainer<CodingKeys>) -> FormName {
        [.fileFieldName, .fileName, .fields].contains { container.isGiven($0) } ? .multipart : .body
    }

    /// Absent and null fields take their defaults; unknown ones are ignored. Fields of another form than the one named are
    /// refused.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        url = try container.decode(String.self, forKey: .url)
        filePath = try container.decode(String.self, forKey: .filePath)
        sessionIdentifier = try container.decodeIfPresent(String.self, forKey: .sessionIdentifier)
        let given = try container.decodeIfPresent(FormName.self, forKey: .form)
        let name = given ?? Self.impliedForm(by: container)
        for key in Self.members where !name.takes(key) && container.isGiven(key) {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: container, debugDescription: "the form \(name.rawValue) has no use for it")
        }
        let mimeType = try container.decodeIfPresent(String.self, forKey: .mimeType)
        switch name {
        case .body: form = .body(mimeType: mimeType)
        case .multipart:
            form = .multipart(
                fieldName: try container.decodeIfPresent(String.self, forKey: .fileFieldName) ?? "file",
                fileName: try container.decodeIfPresent(String.self, forKey: .fileName), mimeType: mimeType,
                fields: try container.decodeIfPresent([String: String].self, forKey: .fields) ?? [:])
        case .tus:
            form = .tus(metadata: try container.decodeIfPresent([String: String].self, forKey: .metadata) ?? [:])
        }
        method =
            try container.decodeIfPresent(String.self, forKey: .method)?.uppercased()
            ?? (name == .multipart ? "POST" : "PUT")
        options = try TransferOptions(from: decoder)
    }

    /// Writes what differs from the defaults.
    public func encode(to encoder: any Encoder) throws {
        try options.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(url, forKey: .url)
        try container.encode(filePath, forKey: .filePath)
        try container.encode(method, forKey: .method)
        try container.encodeIfPresent(sessionIdentifier, forKey: .sessionIdentifier)
        switch form {
        case .body(let mimeType):
            try container.encode(FormName.body, forKey: .form)
            try container.encodeIfPresent(mimeType, forKey: .mimeType)
        case .multipart(let fieldName, let fileName, let mimeType, let fields):
            try container.encode(FormName.multipart, forKey: .form)
            try container.encode(fieldName, forKey: .fileFieldName)
            try container.encodeIfPresent(fileName, forKey: .fileName)
            try container.encodeIfPresent(mimeType, forKey: .mimeType)
            try container.encode(fields, forKey: .fields)
        case .tus(let metadata):
            try container.encode(FormName.tus, forKey: .form)
            try container.encode(metadata, forKey: .metadata)
        }
    }
}

extension KeyedDecodingContainer<UploadConfiguration.CodingKeys> {
    /// Whether a field is there and not null.
    fileprivate func isGiven(_ key: Key) -> Bool { contains(key) && (try? decodeNil(forKey: key)) == false }
}

extension UploadConfiguration: WorkerInput {
    /// The configuration as JSON: the input of `BackgroundUploadWorker`. Options that have their defaults are left out.
    ///
    /// Dates and durations are whole milliseconds. A retry policy's `jitter` that is not finite is null, which the
    /// worker refuses.
    public var inputJSON: String { FastJSON.text(capacity: 256) { write(to: &$0) } }
}

// By hand, because it cannot fail, unlike the encoder.
extension UploadConfiguration: FastJSONEncodable {
    package func write(to json: inout JSONWriter) {
        json.open()
        json.member("url", url)
        json.member("filePath", filePath)
        json.member("method", method)
        if let sessionIdentifier { json.member("sessionIdentifier", sessionIdentifier) }
        switch form {
        case .body(let mimeType):
            json.member("form", "body")
            if let mimeType { json.member("mimeType", mimeType) }
        case .multipart(let fieldName, let fileName, let mimeType, let fields):
            json.member("form", "multipart")
            json.member("fileFieldName", fieldName)
            if let fileName { json.member("fileName", fileName) }
            if let mimeType { json.member("mimeType", mimeType) }
            json.begin("fields")
            json.strings(fields, sorted: true)
        case .tus(let metadata):
            json.member("form", "tus")
            json.begin("metadata")
            json.strings(metadata, sorted: true)
        }
        options.writeMembers(to: &json)
        json.close()
    }
}

/// How a file is sent in an upload.
public enum UploadForm: Sendable, Hashable, Codable {
    /// The file's bytes are the body. JSON: `"form": "body"`, `mimeType`.
    case body(mimeType: String? = nil)
    /// One part of a `multipart/form-data` body (RFC 7578), after the fields. JSON: `"form": "multipart"`,
    /// `fileFieldName` (`file`), `fileName` (the path's last component), `mimeType`, `fields`.
    case multipart(
        fieldName: String = "file", fileName: String? = nil, mimeType: String? = nil, fields: [String: String] = [:])
    /// The tus protocol, version 1.0 (https://tus.io/protocols/resumable-upload): `url` is the endpoint that makes
    /// uploads, and the server keeps the received bytes when the connection breaks. JSON: `"form": "tus"`, `metadata`.
    case tus(metadata: [String: String] = [:])
}
