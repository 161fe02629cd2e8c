import BackgroundWorkFoundation

/// A request of the tus protocol, version 1.0, with the extensions `creation` and `termination`.
struct TusExchange {
    private static let version = HeaderField("Tus-Resumable", "1.0.0")
    private static let contentType = "application/offset+octet-stream"

    let exchange: Exchange
    let endpoint: TusEndpoint
    /// The upload's name; `nil` for the endpoint itself.
    let upload: String?

    private var headers: [String: String] { exchange.head.headers }

    func run() -> ConnectionFate {
        let method = headers["x-http-method-override"] ?? exchange.head.method
        if method == "OPTIONS" { return answer { options } }
        guard headers["tus-resumable"] == "1.0.0" else {
            return answer { .text(412, "Tus-Resumable has to be 1.0.0", [HeaderField("Tus-Version", "1.0.0")]) }
        }
        guard let upload else { return answer { method == "POST" ? creation : failure(405, "POST or OPTIONS only") } }
        guard let found = endpoint.upload(upload) else { return answer { failure(404, "there is no such upload") } }
        if let status = found.goneStatus { return answer { failure(status, "the upload is gone") } }
        switch method {
        case "HEAD": return answer { state(of: found) }
        case "PATCH": return patch(found, upload)
        case "DELETE": return answer { deletion(of: upload) }
        default: return answer { failure(405, "HEAD, PATCH, DELETE or OPTIONS only") }
        }
    }

    /// Receives and ignores a body, and answers unless the behaviour prescribes the answer. `make` is called only if
    /// its answer is used, so that a prescribed failure changes nothing.
    private func answer(_ make: () -> Answer) -> ConnectionFate { exchange.conclude(exchange.receiveBody(), make) }

    private func failure(_ status: Int, _ text: String) -> Answer { .text(status, text, [Self.version]) }

    private var options: Answer {
        .bare(
            204,
            [
                Self.version, HeaderField("Tus-Version", "1.0.0"),
                HeaderField("Tus-Extension", "creation,termination"),
                HeaderField("Tus-Max-Size", "\(endpoint.maximumBytes)"),
            ])
    }

    private var creation: Answer {
        guard let length = headers["upload-length"].flatMap({ Int64($0) }), length >= 0 else {
            return failure(400, "Upload-Length is needed")
        }
        guard length <= endpoint.maximumBytes else { return failure(413, "Upload-Length is over Tus-Max-Size") }
        let header = headers["upload-metadata"]
        guard let metadata = header.map(TusMetadata.decode) ?? [:] else {
            return failure(400, "Upload-Metadata is malformed")
        }
        let upload = endpoint.create(length: length, metadata: metadata, header: header)
        let host = headers["host"].map { "http://\($0)" } ?? ""
        return .bare(201, [Self.version, HeaderField("Location", host + upload.path)])
    }

    private func state(of upload: TusUpload) -> Answer {
        var fields = [
            Self.version, HeaderField("Upload-Offset", "\(upload.bytes.count)"),
            HeaderField("Upload-Length", "\(upload.length)"), HeaderField("Cache-Control", "no-store"),
        ]
        if let metadata = upload.metadataHeader { fields.append(HeaderField("Upload-Metadata", metadata)) }
        return .bare(200, fields)
    }

    private func deletion(of name: String) -> Answer {
        endpoint.remove(name, status: 404)
        return .bare(204, [Self.version])
    }

    private func patch(_ found: TusUpload, _ name: String) -> ConnectionFate {
        guard headers["content-type"] == Self.contentType else {
            return answer { failure(415, "Content-Type has to be \(Self.contentType)") }
        }
        guard let offset = headers["upload-offset"].flatMap({ Int64($0) }) else {
            return answer { failure(400, "Upload-Offset is needed") }
        }
        guard offset == found.bytes.count else {
            return answer { failure(409, "Upload-Offset is not \(found.bytes.count)") }
        }
        if let count = headers["content-length"].flatMap({ Int64($0) }), count > found.length - offset {
            return answer { failure(413, "that is more than Upload-Length") }
        }
        // A status that the behaviour prescribes is a failure that stores nothing, unless it applies after a number
        // of bytes.
        let behaviour = exchange.behaviour
        if exchange.prescribed != nil, behaviour.receivesAtMost == nil { return answer { failure(500, "") } }
        var end = offset
        let bodyEnd = exchange.receiveBody { bytes in
            guard endpoint.append(bytes, at: end, to: name) else { return false }
            end += Int64(bytes.count)
            return true
        }
        return exchange.conclude(bodyEnd) {
            if case .declined = bodyEnd { return failure(409, "the upload has changed under this request") }
            return .bare(204, [Self.version, HeaderField("Upload-Offset", "\(end)")])
        }
    }
}

/// `Upload-Metadata`: pairs of a key and a value in Base64, separated by commas.
enum TusMetadata {
    /// `nil` when the header breaks the protocol's rules.
    static func decode(_ header: String) -> [String: String]? {
        var metadata: [String: String] = [:]
        for pair in header.split(separator: ",", omittingEmptySubsequences: false) {
            let words = pair.split(separator: " ")
            guard let key = words.first, words.count <= 2, metadata[String(key)] == nil else { return nil }
            guard let value = Data(base64Encoded: words.count == 2 ? String(words[1]) : "") else { return nil }
            metadata[String(key)] = String(decoding: value, as: UTF8.self)
        }
        return metadata
    }
}
