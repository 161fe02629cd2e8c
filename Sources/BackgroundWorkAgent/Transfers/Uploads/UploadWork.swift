#if os(Linux)
import BackgroundWorkModel
import BackgroundWorkTransfers
import CBackgroundWorkCurl

/// An upload of one file: as a body, in a form, or by the tus protocol. Memory does not grow with the file.
final class UploadWork: TransferWork {
    /// So much of the server's answer is kept.
    private static let answerBytes = 64 << 10

    /// What the exchange under way is for.
    enum Step {
        case sending
        /// Making a resource for the file on a tus server.
        case creating
        /// Asking a tus server how much it has.
        case asking
    }

    let task: Int64
    let name: String
    let specification: TransferSpecification
    let job: UploadJob
    let context: TransferContext
    var attemptEnded: (AttemptEnd) -> Void = { _ in }
    var step = Step.sending
    var exchange: Exchange?
    var body: UploadBody
    var file: UploadFile?
    /// The resource that a tus server has made for the file.
    var uploadURL: String?
    /// How much a tus server has said that it has.
    var confirmed: Int64 = 0
    /// How often this attempt has asked without getting further.
    var detours = 0
    private(set) var setting = AttemptSetting(address: "")
    private var answer: [UInt8] = []
    private var bytesPerSecond: Int64?

    init(_ record: TransferRecord, job: UploadJob, context: TransferContext) {
        task = record.task
        specification = record.specification
        name = "transfer \(record.task) (\(record.specification.reference))"
        self.job = job
        self.context = context
        uploadURL = record.uploadURL
        body = UploadBody(range: 0..<job.source.bytes)
    }

    var isTus: Bool { if case .tus = job.form { true } else { false } }
    var url: TransferURL { setting.url.with(method: isTus ? "POST" : job.method) }
    var totalBytes: Int64? { job.source.bytes }
    var bytes: Int64 { confirmed + (step == .sending && exchange != nil ? body.sentFileBytes : 0) }
    var check: ChecksumCheck? { nil }
    var filesToSync: FilesToSync { .none }

    // MARK: Attempts

    func begin(_ setting: AttemptSetting) throws(TransferFailure) {
        self.setting = setting
        detours = 0
        guard url.scheme == "http" || url.scheme == "https" else {
            throw .invalid("only http and https are supported", url)
        }
        file = try UploadFile(job.source, url: url)
        switch job.form {
        case .body(let mimeType):
            confirmed = 0
            body = UploadBody(range: 0..<job.source.bytes)
            try send(job.method, contentType: mimeType ?? fallbackType)
        case .multipart(let fieldName, let fileName, let mimeType, let fields):
            confirmed = 0
            let form = MultipartForm(
                boundary: "bgwork-\(Self.randomText())", fieldName: fieldName,
                fileName: fileName ?? String(job.source.path.split(separator: "/").last ?? "file"), mimeType: mimeType,
                fields: fields)
            body = UploadBody(head: form.head, range: 0..<job.source.bytes, tail: form.tail)
            try send(job.method, contentType: form.contentType)
        case .tus: try beginTus()
        }
    }

    /// For a body of which nobody has said what it is; the client's own header counts as having said so.
    private var fallbackType: String? {
        specification.options.headers.keys.contains { $0.lowercased() == "content-type" }
            ? nil : "application/octet-stream"
    }

    private static func randomText() -> String {
        (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
    }

    private func send(_ method: String, contentType: String?) throws(TransferFailure) {
        let own = contentType.map { [(name: "Content-Type", value: $0)] } ?? []
        AgentLog.write("\(name): \(url.label), \(body.count) bytes")
        try begin(.sending, .send(method, bytes: body.count), address: setting.address, own: own)
    }

    /// Begins an exchange. At another origin than the transfer's own it bears none of the client's credentials.
    func begin(
        _ step: Step, _ method: RequestPlan.Method, address: String, own: [(name: String, value: String)]
    ) throws(TransferFailure) {
        let isOwn = RequestOrigin(address) == RequestOrigin(setting.address)
        let options = isOwn ? specification.options : specification.options.withoutCredentials
        let lines = try RequestHeaders.lines(
            options, own: own, token: isOwn ? setting.token : nil, url: TransferURL(address, method: url.method))
        var plan = RequestPlan(
            method: method, url: address, headerLines: lines, options: options,
            addressPolicy: specification.addressPolicy, bufferBytes: min(context.exchanges.bufferBytes, 256 << 10))
        plan.followsRedirects = step != .sending || !isTus
        self.step = step
        answer = []
        exchange = try context.exchanges.begin(plan, for: self)
        exchange?.limitSpeed(bytesPerSecond)
    }

    func suspend() {
        if let exchange { context.exchanges.stop(exchange) }
        exchange = nil
        file = nil
    }

    func startOver() throws(TransferFailure) {}

    func limitSpeed(_ bytesPerSecond: Int64?) {
        self.bytesPerSecond = bytesPerSecond
        exchange?.limitSpeed(bytesPerSecond)
    }

    func afterTurn() {}

    // MARK: Ends

    func ended(_ exchange: Exchange, code: CURLcode) {
        guard self.exchange === exchange else { return }
        self.exchange = nil
        if let failure = failure(of: exchange, code: code) {
            if isTus { return tusFailed(exchange, failure) }
            return fail(failure)
        }
        if isTus { return tusAnswered(exchange) }
        guard (200...299).contains(exchange.headers.status) else { return fail(refusal(exchange)) }
        finish(exchange)
    }

    /// What went wrong on the way; `nil` when there is an answer to go by. A server that refuses an upload half-way may
    /// close the connection so early that sending fails although the answer is there.
    private func failure(of exchange: Exchange, code: CURLcode) -> AttemptFailure? {
        let wasLoopback = exchange.address?.isLoopback ?? false
        if let failure = exchange.failure {
            return AttemptFailure(
                failure: failure, headers: exchange.headers, wasLoopback: wasLoopback,
                isConnectionLoss: failure.kind == .network)
        }
        guard code != CURLE_OK, exchange.headers.status < 400 else { return nil }
        if let address = exchange.decisiveRefusal {
            return AttemptFailure(failure: .refusedAddress(address, exchange.url))
        }
        let failure = TransferFailure.curl(
            code, detail: exchange.detail(of: code), redirects: exchange.redirects, exchange.url)
        return AttemptFailure(
            failure: failure, headers: exchange.headers, wasLoopback: wasLoopback,
            isConnectionLoss: failure.isRetryable)
    }

    func refusal(_ exchange: Exchange) -> AttemptFailure {
        AttemptFailure(failure: .status(of: exchange.headers, now: .now(), url), headers: exchange.headers)
    }

    /// The server has taken it all; the file must have been the same all the while.
    func finish(_ exchange: Exchange) {
        do throws(TransferFailure) {
            try file?.check(url)
        } catch {
            return fail(AttemptFailure(failure: error, headers: exchange.headers))
        }
        confirmed = job.source.bytes
        file = nil
        attemptEnded(
            .complete(
                status: exchange.headers.status, finalURL: exchange.effectiveURL, headers: exchange.headers,
                body: answer.isEmpty ? nil : String(decoding: answer, as: UTF8.self)))
    }

    func fail(_ failure: AttemptFailure) {
        file = nil
        attemptEnded(.failed(failure))
    }
}

extension UploadWork: ExchangeHandler {
    func receive(_ bytes: UnsafeRawBufferPointer, of exchange: Exchange) -> BodyAnswer {
        answer.append(contentsOf: bytes.prefix(max(0, Self.answerBytes - answer.count)))
        return .taken
    }

    func supply(_ space: UnsafeMutableRawBufferPointer, to exchange: Exchange) -> Int? {
        guard let file else { return nil }
        do {
            guard let count = try body.supply(space, from: file) else {
                try file.check(url)
                throw TransferFailure.truncatedSource(job.source.path, url)
            }
            // Before the last byte is gone, so that a file that changes under way is not taken for a whole one.
            if body.position == body.count { try file.check(url) }
            return count
        } catch let failure as TransferFailure {
            exchange.breakOff(failure)
        } catch {
            exchange.breakOff(.network("\(error)", isRetryable: false, url))
        }
        return nil
    }

    func rewind(to offset: Int64, for exchange: Exchange) -> Bool { body.rewind(to: offset) }
}

extension TransferFailure {
    fileprivate static func truncatedSource(_ path: String, _ url: TransferURL) -> TransferFailure {
        TransferFailure(
            kind: .sourceChanged,
            message:
                "\(url.label): the file \(path.printable) ended before its recorded length. Enqueue the upload again.",
            isRetryable: false)
    }
}
#endif
