import BackgroundWorkFoundation
import BackgroundWorkHTTP
import BackgroundWorkTransfers

/// What a worker takes of a response's body.
struct ResponseChoice: Sendable {
    /// The most bytes of a body that is kept for the output: it is stored with the work and its event.
    static let mostKeptBytes: Int64 = 1 << 20

    /// The most bytes that the body may have.
    var limit: Int64
    var isKept: Bool

    init(limit: Int64?, isKept: Bool) {
        self.limit = limit ?? (isKept ? Self.mostKeptBytes : HTTPRequest.usualResponseLimit)
        self.isKept = isKept
    }

    func check(by rules: TransferInputRules) throws {
        try rules.check(responseLimit: limit)
        guard !isKept || limit <= Self.mostKeptBytes else {
            throw rules.refusal(
                "maxResponseBytes",
                "it is \(limit), but at most \(Self.mostKeptBytes) bytes are kept for the output; leave keepResponseBody "
                    + "out, or save the response with HttpDownloadWorker")
        }
    }
}

/// What is taken of a response, as two fields of an input.
struct ResponseFields: Codable {
    private var maxResponseBytes: Int64?
    private var keepResponseBody: Bool?

    init(limit: Int64?, isKept: Bool) { (maxResponseBytes, keepResponseBody) = (limit, isKept ? true : nil) }

    var limit: Int64? { maxResponseBytes }
    var isKept: Bool { keepResponseBody ?? false }
}
