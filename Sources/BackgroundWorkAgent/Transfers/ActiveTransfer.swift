#if os(Linux)
import BackgroundWorkTransfers
import CBackgroundWorkCurl

/// A transfer that is under way or waits for its turn. Lives on the network loop's thread.
final class ActiveTransfer {
    /// A crash of the machine costs at most this much of a resumable transfer.
    private static let checkpointBytes: Int64 = 64 << 20

    let task: Int64
    let specification: TransferSpecification
    let url: TransferURL
    /// What the journal says the staging file's bytes belong to.
    private(set) var recordedEntity: RecordedEntity?
    private(set) var exchange: (receiver: TransferReceiver, request: CurlRequest)?
    private let context: TransferContext
    private var writer: StagingWriter?
    private var hasAskedForWhole = false
    private var checkpointed: Int64
    private var isCheckpointing = false
    /// Told when the transfer cannot go on for a reason that libcurl will not report.
    var brokenOff: () -> Void = {}

    init(_ record: TransferRecord, context: TransferContext) {
        task = record.task
        specification = record.specification
        url = TransferURL(record.specification.url)
        recordedEntity = record.entity
        checkpointed = record.checkpoint
        self.context = context
    }

    var name: String { "transfer \(task) (\(specification.reference))" }
    var file: StagingFile? { writer?.file }
    var receivedBytes: Int64 { writer?.received ?? checkpointed }

    /// When the transfer counts as stalled unless a byte arrives before.
    var stallDeadline: SuspendingClock.Instant? {
        guard let receiver = exchange?.receiver, !receiver.isPaused else { return nil }
        return receiver.lastByteAt + .milliseconds(max(specification.stallTimeoutMs, 1))
    }

    /// Sets up the request for what the staging file lacks.
    func begin(bufferBytes: Int) throws(TransferFailure) -> CurlRequest {
        guard url.scheme == "http" || url.scheme == "https" else {
            throw .invalid("only http and https are supported", url)
        }
        let offset = try openFile()
        let lines = try RequestHeaders.lines(
            for: specification, url: url, offset: offset, validator: recordedEntity?.validator)
        let receiver = TransferReceiver(transfer: self, offset: offset)
        guard
            let request = CurlRequest(
                specification: specification, headerLines: lines, bufferBytes: bufferBytes, receiver: receiver)
        else { throw .network("libcurl could not set up a request: out of memory", url) }
        receiver.request = request
        exchange = (receiver, request)
        AgentLog.write("\(name): GET \(url.redacted)\(offset > 0 ? " from byte \(offset)" : "")")
        return request
    }

    private func openFile() throws(TransferFailure) -> Int64 {
        do {
            let writer: StagingWriter
            if let known = self.writer {
                writer = known
            } else {
                let file = try StagingFile(path: context.paths.stagingFile(task: task))
                writer = StagingWriter(file: file, size: try file.size())
                self.writer = writer
            }
            let offset =
                hasAskedForWhole ? 0 : ResumePolicy.offset(fileSize: writer.received, entity: recordedEntity)
            if offset == 0, writer.received > 0 { try writer.startOver() }
            return offset
        } catch {
            throw .disk(error, url)
        }
    }

    // MARK: The body

    /// Whether the body may be written now. A new body must wait until the journal no longer vouches for the old one:
    /// otherwise bytes of two versions could be joined after a crash.
    func admitBody(to receiver: TransferReceiver) throws(SystemCallError) -> Bool {
        guard case .writeFromZero(let entity) = receiver.judge() else { return true }
        let replacesRecorded = recordedEntity != nil
        let (task, boot) = (task, context.boot)
        recordedEntity = entity
        checkpointed = 0
        if !replacesRecorded { try writer?.startOver() }
        context.desk.submit(write: { try $0.recordEntity(entity, task: task, boot: boot) }) {
            [weak self, weak receiver] in
            guard let self, let receiver, self.exchange?.receiver === receiver else { return }
            if case .failure(let error) = $0 {
                receiver.breakOff(.journal(error, self.url))
                self.brokenOff()
            } else if replacesRecorded {
                self.admitReplacement(to: receiver)
            }
        }
        return !replacesRecorded
    }

    private func admitReplacement(to receiver: TransferReceiver) {
        do throws(SystemCallError) {
            try writer?.startOver()
            receiver.admitAfterPause()
        } catch {
            receiver.breakOff(.disk(error, url))
            brokenOff()
        }
    }

    /// Writes what has arrived so far, so that nothing that was received is lost with this process.
    func storeReceived() {
        guard let exchange else { return }
        do {
            try writer?.flush()
        } catch {
            exchange.receiver.breakOff(.disk(error, url))
            brokenOff()
        }
    }

    func append(_ bytes: UnsafeRawBufferPointer) throws(SystemCallError) {
        guard let writer else { return }
        try writer.append(bytes)
        if writer.written - checkpointed >= Self.checkpointBytes { checkpoint() }
    }

    /// Has what is written synced, and recorded as such. Does not wait.
    func checkpoint() {
        guard let writer, recordedEntity?.validator != nil, !isCheckpointing, writer.written > checkpointed else {
            return
        }
        let (task, file, bytes) = (task, writer.file, writer.written)
        isCheckpointing = true
        checkpointed = bytes
        context.desk.submit(
            prepare: { try file.synchronize() }, write: { try $0.recordCheckpoint(bytes, task: task) }
        ) { [weak self] result in
            self?.isCheckpointing = false
            guard case .failure(let error) = result else { return }
            // The transfer goes on: a checkpoint only matters after a reboot, and the sync at the end is decisive.
            AgentLog.write("transfer \(task): its checkpoint could not be recorded: \(error)")
        }
    }

    /// Writes out what is buffered and has it made durable, before the agent leaves.
    func keepForLater() {
        guard exchange != nil, let writer else { return }
        exchange = nil
        do {
            try writer.flush()
            isCheckpointing = false
            checkpoint()
        } catch {
            AgentLog.write("\(name): \(error)")
        }
    }

    // MARK: The end of an exchange

    func endExchange(code: CURLcode) -> ExchangeEnd {
        guard let (receiver, request) = exchange else { return .failed(.network("the exchange was lost", url)) }
        defer { exchange = nil }
        let end = judgeEnd(code: code, receiver: receiver, request: request)
        if case .askForWhole = end { hasAskedForWhole = true }
        return end
    }

    private func judgeEnd(code: CURLcode, receiver: TransferReceiver, request: CurlRequest) -> ExchangeEnd {
        if let failure = receiver.failure { return .failed(failure) }
        if code == CURLE_OK { receiver.judge() }
        switch receiver.verdict {
        case .fail(.status): return .failed(.status(of: receiver.headers, url))
        case .fail(.wrongRange): return .failed(.wrongRange(of: receiver.headers, url))
        case .askForWhole: return .askForWhole
        case .complete: return .delivered(bytes: receivedBytes, status: 206, finalURL: request.effectiveURL)
        case .append, .writeFromZero, nil: break
        }
        guard code == CURLE_OK else {
            if code == CURLE_PARTIAL_FILE {
                let promised = receiver.headers.contentLength.map {
                    $0 + (receiver.headers.status == 206 ? receiver.offset : 0)
                }
                return .failed(.truncated(received: receivedBytes, promised: promised, url))
            }
            if let address = receiver.decisiveRefusal { return .failed(.refusedAddress(address, url)) }
            return .failed(.curl(code, detail: request.detail(of: code), redirects: request.redirects, url))
        }
        return finishBody(receiver: receiver, request: request)
    }

    private func finishBody(receiver: TransferReceiver, request: CurlRequest) -> ExchangeEnd {
        do throws(SystemCallError) {
            var entity = recordedEntity
            if !receiver.isAdmitted, case .writeFromZero(let empty) = receiver.judge() {
                try writer?.startOver()
                entity = empty
            }
            try writer?.flush()
            if let total = entity?.total, total != receivedBytes {
                return .failed(.truncated(received: receivedBytes, promised: total, url))
            }
            return .delivered(
                bytes: receivedBytes, status: receiver.headers.status, finalURL: request.effectiveURL)
        } catch {
            return .failed(.disk(error, url))
        }
    }

    func outcome(_ result: TransferOutcome.Result) -> TransferOutcome {
        TransferOutcome(
            reference: specification.reference, sessionIdentifier: specification.sessionIdentifier,
            taskIdentifier: task, savePath: specification.savePath, workerName: specification.workerName,
            result: result)
    }
}
#endif
