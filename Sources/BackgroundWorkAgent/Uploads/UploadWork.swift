import BackgroundWorkExchange
import BackgroundWorkModel
import BackgroundWorkTransfers
import CBackgroundWorkCurl

/// An upload of one file: as a body, in a form, or by the tus protocol. Memory does not grow with the file.
final class UploadWork: TransferWork {
    /// The maximum number of bytes of the server's response that are kept.
    private static let answerBytes = 64 << 10

    /// What the current exchange is for.
    enum Step {
        case sending
        /// Creating a resource for the file on a tus server.
        case creating
        /// Querying how much a tus server has.
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
    /// Open while an attempt runs.
    var file: UploadFile?
    private var pieces: ReadAhead?
    /// Identifies results of the disk for an attempt that has ended.
    private var turn = 0
    /// The resource that a tus server has created for the file.
    var uploadURL: String?
    /// How many bytes a tus server has confirmed.
    var confirmed: Int64 = 0
    /// How often this attempt has queried the server without progress.
    var detours = 0
    private(set) var setting = AttemptSetting(address: "")
    private var answer: [UInt8] = []
    private let limit: BandwidthLimit?

    init(_ record: TransferRecord, job: UploadJob, context: TransferContext) {
        task = record.task
        specification = record.specification
        name = "transfer \(record.task) (\(record.specification.reference))"
        self.job = job
        self.context = context
        limit = specification.options.bytesPerSecond.map { BandwidthLimit(bytesPerSecond: $0, now: .now) }
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
        turn += 1
        let (source, rules, url) = (job.source, FileRules(specification.securityPolicy), url)
        ask({ try UploadFile(source, under: rules, url: url) }) { [weak self] file in
            guard let self else { return }
            self.file = file
            do throws(TransferFailure) { try self.beginExchange() } catch {
                self.fail(AttemptFailure(failure: error))
            }
        }
    }

    /// Starts an operation on the disk without waiting for it. A failure ends the attempt; results for an ended attempt
    /// are ignored.
    private func ask<Value: Sendable>(
        _ question: @escaping @Sendable () throws -> Value, then: @escaping (Value) -> Void
    ) {
        let (turn, url) = (turn, url)
        context.staging.read(question) { [weak self] result in
            guard let self, self.turn == turn else { return }
            switch result {
            case .success(let value): then(value)
            case .failure(let error): self.fail(AttemptFailure(failure: .reading(error, url)))
            }
        }
    }

    private func beginExchange() throws(TransferFailure) {
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

    /// The content type for a body without one; a Content-Type header of the client takes precedence.
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

    /// Starts an exchange. To another origin than the transfer's own it carries none of the client's credentials.
    func begin(
        _ step: Step, _ method: RequestPlan.Method, address: String, own: [(name: String, value: String)]
    ) throws(TransferFailure) {
        let isOwn = RequestOrigin(address) == RequestOrigin(setting.address)
        let options = isOwn ? specification.options : specification.options.withoutCredentials
        let lines = try RequestHeaders.lines(
            options, own: own, token: isOwn ? setting.token : nil, url: TransferURL(address, method: url.method))
        var plan = RequestPlan(
            method: method, url: address, headerLines: lines, options: options,
            securityPolicy: specification.securityPolicy, bufferBytes: min(context.exchanges.bufferBytes, 256 << 10))
        plan.followsRedirects = step != .sending || !isTus
        // A place that was recorded may be forbidden by now; an exchange would say only its address.
        if address == uploadURL, let refusal = plan.securityPolicy.refusal(of: address, through: plan.proxy) {
            throw .refusedPlace(address, refusal, url)
        }
        self.step = step
        answer = []
        let exchange = try context.exchanges.begin(plan, for: self, limit: limit)
        self.exchange = exchange
        pieces = file.map { readAhead(of: $0, for: exchange) }
    }

    private func readAhead(of file: UploadFile, for exchange: Exchange) -> ReadAhead {
        let (staging, url) = (context.staging, url)
        return ReadAhead(
            body.range, pieceBytes: context.exchanges.areMany ? ReadAhead.smallPieceBytes : ReadAhead.pieceBytes,
            read: { range, isLast, buffer, then in
                staging.read({ try file.read(range, isLast: isLast, into: buffer, url) }, then: then)
            },
            arrived: { [weak exchange] in exchange?.goOn() })
    }

    func suspend() {
        if let exchange { context.exchanges.stop(exchange) }
        exchange = nil
        close()
    }

    private func close() {
        turn += 1
        file = nil
        pieces = nil
    }

    func startOver() throws(TransferFailure) {}

    func afterTurn() {}

    // MARK: Ends

    func ended(_ exchange: Exchange, code: CURLcode) {
        guard self.exchange === exchange else { return }
        self.exchange = nil
        pieces = nil
        // After a lost connection a resumable upload's next attempt asks how much has arrived.
        if let failure = failure(of: exchange, code: code) { return fail(failure) }
        if isTus { return tusAnswered(exchange) }
        guard (200...299).contains(exchange.headers.status) else { return fail(refusal(exchange)) }
        finish(exchange)
    }

    /// The failure of the exchange; `nil` when there is a response to evaluate. A server that rejects an upload early
    /// may close the connection so soon that sending fails although the response was received.
    private func failure(of exchange: Exchange, code: CURLcode) -> AttemptFailure? {
        let wasLoopback = exchange.address?.isLoopback ?? false
        if let failure = exchange.failure {
            return AttemptFailure(
                failure: failure, headers: exchange.headers, wasLoopback: wasLoopback,
                isConnectionLoss: failure.kind == .network)
        }
        guard code != CURLE_OK, exchange.headers.status < 400 else { return nil }
        if let refusal = exchange.decisiveRefusal(of: code) {
            return AttemptFailure(
                failure: uploadURL == exchange.plan.url && exchange.redirects == 0
                    ? .refusedPlace(exchange.plan.url, refusal, url)
                    : .refusedAddress(refusal, redirects: exchange.redirects, exchange.url))
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

    /// The server has received everything; the file must not have changed in the meantime.
    func finish(_ exchange: Exchange) {
        guard let file else { return }
        confirmed = job.source.bytes
        let url = url
        let end = AttemptEnd.complete(
            status: exchange.headers.status, finalURL: exchange.effectiveURL, headers: exchange.headers,
            body: answer.isEmpty ? nil : String(decoding: answer, as: UTF8.self))
        ask({ try file.check(url) }) { [weak self] in
            self?.close()
            self?.attemptEnded(end)
        }
    }

    func fail(_ failure: AttemptFailure) {
        close()
        attemptEnded(.failed(failure))
    }
}

extension UploadWork: ExchangeHandler {
    func receive(_ bytes: UnsafeRawBufferPointer, of exchange: Exchange) -> BodyAnswer {
        answer.append(contentsOf: bytes.prefix(max(0, Self.answerBytes - answer.count)))
        return .taken
    }

    func supply(_ space: UnsafeMutableRawBufferPointer, to exchange: Exchange) -> BodySupply {
        guard let pieces else { return .breakOff }
        do {
            return try body.supply(space, from: pieces).map(BodySupply.bytes) ?? .wait
        } catch {
            exchange.breakOff(.reading(error, url))
            return .breakOff
        }
    }

    func rewind(to offset: Int64, for exchange: Exchange) -> Bool { body.rewind(to: offset) }
}

extension TransferFailure {
    /// The failure for an error of checking or reading the file.
    fileprivate static func reading(_ error: any Error, _ url: TransferURL) -> TransferFailure {
        error as? TransferFailure ?? .network("\(error)", isRetryable: false, url)
    }
}
