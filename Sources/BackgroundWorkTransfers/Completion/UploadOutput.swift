import BackgroundWorkModel

/// What a finished upload gives: the output of `BackgroundUploadWorker`.
public struct UploadOutput: Sendable, Hashable {
    /// The file that was sent. JSON: `filePath`.
    public var filePath: String
    /// How many of its bytes were sent: all. JSON: `bytes`.
    public var bytes: Int64
    /// The status of the server's response. JSON: `statusCode`.
    public var statusCode: Int
    /// The final URL after redirects, without user and query. JSON: `url`.
    public var url: String
    /// Headers of the response, by their names in lower case; `nil` if they were not recorded. JSON: `headers`.
    public var headers: [String: String]?
    /// How many requests with the file were made; `nil` if that was not recorded. JSON: `requests`; `attempts` is read
    /// as well.
    public var requests: Int?
    /// The start of the server's response body, as text. JSON: `responseBody`.
    public var responseBody: String?
    package var durationMs: Int64?

    /// Creates the output of an upload that a server has accepted.
    public init(filePath: String, bytes: Int64, statusCode: Int, url: String) {
        self.filePath = filePath
        self.bytes = bytes
        self.statusCode = statusCode
        self.url = url
    }

    /// From the first byte of the first request to the end, waits between attempts included; `nil` if that was not
    /// recorded. JSON: `durationMs`, in milliseconds.
    public var duration: Duration? { durationMs.map { .milliseconds($0) } }

    package init(filePath: String, bytes: Int64, statusCode: Int, finalURL: String, details: TransferDetails?) {
        self.init(filePath: filePath, bytes: bytes, statusCode: statusCode, url: ShownURL.text(finalURL))
        headers = details?.headers
        durationMs = details?.durationMs
        requests = details?.requests
        responseBody = details?.responseBody
    }

    /// Members in order and paths as they are, so that the same output is the same text.
    package func encoded() throws -> String { try JSONCoding.text(of: self) }
}

extension UploadOutput: Codable {
    private enum EarlierKeys: CodingKey { case attempts }

    /// Absent and null fields are `nil`; unknown ones are ignored.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        filePath = try container.decode(String.self, forKey: .filePath)
        bytes = try container.decode(Int64.self, forKey: .bytes)
        statusCode = try container.decode(Int.self, forKey: .statusCode)
        url = try container.decode(String.self, forKey: .url)
        headers = try container.decodeIfPresent([String: String].self, forKey: .headers)
        requests =
            try container.decodeIfPresent(Int.self, forKey: .requests)
            ?? decoder.container(keyedBy: EarlierKeys.self).decodeIfPresent(Int.self, forKey: .attempts)
        responseBody = try container.decodeIfPresent(String.self, forKey: .responseBody)
        durationMs = try container.decodeIfPresent(Int64.self, forKey: .durationMs)
    }
}
