import BackgroundWorkFiles
import BackgroundWorkModel

/// What a finished download gives: the output of `BackgroundDownloadWorker`.
///
/// ```swift
/// let download = try await context.output(of: DownloadOutput.self)
/// ```
public struct DownloadOutput: Sendable, Hashable {
    /// The path of the saved file. JSON: `savePath`.
    public var savePath: String
    /// The file's length. JSON: `bytes`.
    public var bytes: Int64
    /// The status of the server's last response; `nil` when no request was made. JSON: `statusCode`.
    public var statusCode: Int?
    /// The final URL after redirects, without user and query; `nil` when no request was made. JSON: `url`.
    public var url: String?
    /// Headers of the last response, by their names in lower case; `nil` when no request was made. JSON: `headers`.
    public var headers: [String: String]?
    /// How many requests for the file were made; `nil` when no request was made. Of a transfer, ranges of one attempt count
    /// as one.
    /// JSON: `requests`; `attempts` is read as well.
    public var requests: Int?
    package var durationMs: Int64?
    /// Present only if it is true.
    package var skipped: Bool?

    /// Creates an output of a file for which no request was made.
    public init(savePath: String, bytes: Int64) {
        self.savePath = savePath
        self.bytes = bytes
    }

    /// From the first byte of the first request to the end, waits between attempts included; `nil` when no request was
    /// made. JSON: `durationMs`, in milliseconds.
    public var duration: Duration? { durationMs.map { .milliseconds($0) } }

    /// Whether the file at `savePath` existed before, and none was saved. JSON: `skipped`.
    public var wasSkipped: Bool { skipped ?? false }

    package init(savePath: String, bytes: Int64, statusCode: Int, finalURL: String, details: TransferDetails?) {
        self.init(savePath: savePath, bytes: bytes)
        self.statusCode = statusCode
        url = ShownURL.text(finalURL)
        headers = details?.headers
        durationMs = details?.durationMs
        requests = details?.requests
    }

    /// The output of a file that was moved to its target.
    ///
    /// - Parameter isSkipped: whether another file exists there, and this one was not saved.
    package static func text(of move: FileMove, isSkipped: Bool) throws -> String {
        // Written for the wanted name when the move began.
        if let particulars = move.particulars, move.targetPath == move.wantedPath, !isSkipped { return particulars }
        var output = DownloadOutput(move)
        if isSkipped { output.skipped = true }
        return try output.encoded()
    }

    private init(_ move: FileMove) {
        // Moves that an earlier version has begun have none.
        let particulars = move.particulars.flatMap {
            try? FastJSON.value(DownloadOutput.self, from: $0)
        }
        self = particulars ?? DownloadOutput(savePath: move.targetPath, bytes: move.identity.bytes)
        savePath = move.targetPath
    }

    /// Members in order and paths as they are, so that the same output is the same text.
    package func encoded() throws -> String { try FastJSON.text(of: self) }
}

extension DownloadOutput: Codable {
    private enum EarlierKeys: CodingKey { case attempts }

    /// Absent and null fields are `nil`; unknown ones are ignored.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        savePath = try container.decode(String.self, forKey: .savePath)
        bytes = try container.decode(Int64.self, forKey: .bytes)
        statusCode = try container.decodeIfPresent(Int.self, forKey: .statusCode)
        url = try container.decodeIfPresent(String.self, forKey: .url)
        headers = try container.decodeIfPresent([String: String].self, forKey: .headers)
        requests =
            try container.decodeIfPresent(Int.self, forKey: .requests)
            ?? decoder.container(keyedBy: EarlierKeys.self).decodeIfPresent(Int.self, forKey: .attempts)
        durationMs = try container.decodeIfPresent(Int64.self, forKey: .durationMs)
        skipped = try container.decodeIfPresent(Bool.self, forKey: .skipped)
    }
}

extension DownloadOutput: FastJSONCodable {
    package init(json: JSONObject) throws {
        self.init(savePath: try json.string("savePath"), bytes: try json.integer("bytes"))
        statusCode = try json.optionalInteger("statusCode")
        url = try json.optionalString("url")
        headers = try json.optionalObject("headers")?.strings()
        durationMs = try json.optionalInteger("durationMs")
        // An earlier version's name; as the decoder does, only if there is none of today's.
        requests = try json.optionalInteger("requests") ?? json.optionalInteger("attempts")
        skipped = try json.optionalFlag("skipped")
    }

    /// Writes its members in the order of their names.
    package func write(to json: inout JSONWriter) {
        json.open()
        json.member("bytes", bytes)
        if let durationMs { json.member("durationMs", durationMs) }
        if let headers {
            json.begin("headers")
            json.strings(headers, sorted: true)
        }
        if let requests { json.member("requests", requests) }
        json.member("savePath", savePath)
        if let skipped { json.member("skipped", skipped) }
        if let statusCode { json.member("statusCode", statusCode) }
        if let url { json.member("url", url) }
        json.close()
    }
}
