import BackgroundWorkModel
import TestSupport

@testable import BackgroundWorkTransfers

/// Values of everything that is written by hand, with awkward texts and numbers in them.
struct RandomTransfers {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    private mutating func text() -> String { RandomText.any(using: &generator) }
    private mutating func flag() -> Bool { Bool.random(using: &generator) }
    private mutating func duration() -> Duration { .milliseconds(Int64.random(in: -5...1 << 50, using: &generator)) }
    private mutating func onDuplicate() -> DuplicatePolicy {
        DuplicatePolicy.allCases.randomElement(using: &generator) ?? .skip
    }

    private mutating func fileMode() -> FileMode? {
        flag() ? FileMode(UInt16.random(in: 0...0o777, using: &generator)) : nil
    }

    mutating func reference() -> TransferReference {
        TransferReference(
            store: text(),
            key: TransferKey(workID: text() + "#", generation: RandomNumber.any(using: &generator)))
    }

    mutating func downloadJob() -> DownloadJob {
        var job = DownloadJob()
        if flag() {
            job.checksum = FileChecksum(ChecksumAlgorithm.allCases.randomElement(using: &generator) ?? .md5, hex: "")
            job.checksum?.hex = text()
        }
        job.onDuplicate = onDuplicate()
        job.maxBytes = RandomNumber.maybe(using: &generator)
        job.isResumable = flag()
        if flag() { job.mirrors = (0..<Int.random(in: 0...3, using: &generator)).map { _ in text() } }
        let count: Int = RandomNumber.any(using: &generator)
        job.connections = flag() ? .adaptive(upTo: count) : .fixed(count)
        job.savesIntoFolder = flag()
        job.mountPoint = RandomText.maybe(using: &generator)
        job.resumeToken = RandomText.maybe(using: &generator)
        job.fileMode = fileMode()
        return job
    }

    mutating func job() -> TransferJob {
        guard flag() else { return .download(downloadJob()) }
        let source = UploadSource(
            path: text(), bytes: RandomNumber.any(using: &generator), modifiedNs: 1, inode: 2, device: 3)
        return .upload(UploadJob(method: text(), form: .multipart(fields: ["a": text()]), source: source))
    }

    mutating func options() -> TransferOptions {
        var options = TransferOptions()
        options.headers = RandomText.headers(using: &generator)
        options.isDiscretionary = flag()
        options.allowsCellularAccess = flag()
        if flag() { options.stallTimeout = duration() }
        if flag() { options.resourceTimeout = duration() }
        if flag() {
            options.earliestBegin = WallTime(milliseconds: Int64.random(in: 0...1 << 42, using: &generator)).date
        }
        options.priority = WorkPriority.allCases.randomElement(using: &generator) ?? .normal
        options.bytesPerSecond = RandomNumber.maybe(using: &generator)
        options.group = RandomText.maybe(using: &generator)
        if flag() { options.retry = .linear(maximumAttempts: 3, jitter: Double.random(in: 0...1, using: &generator)) }
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: options.proxy = .direct
        case 1: options.proxy = .environment
        case 2: options.proxy = .url("http://" + text())
        default: options.proxy = .automatic
        }
        if flag() { options.authentication = .digest(user: text(), password: text()) }
        if flag() { options.tokenRefresh = TokenRefresh(url: text(), body: RandomText.maybe(using: &generator)) }
        if flag() { options.tls.pinnedPublicKeys = [text()] }
        return options
    }

    mutating func specification() -> TransferSpecification {
        TransferSpecification(
            reference: reference(), sessionIdentifier: text(), url: text(), job: job(), options: options(),
            securityPolicy: flag() ? .publicInternet : .unrestricted, savePath: text(), workerName: text())
    }

    mutating func details() -> TransferDetails {
        var details = TransferDetails()
        details.durationMs = RandomNumber.any(using: &generator)
        details.requests = RandomNumber.any(using: &generator)
        details.headers = RandomText.headers(using: &generator)
        details.responseBody = RandomText.maybe(using: &generator)
        details.suggestedName = RandomText.maybe(using: &generator)
        details.onDuplicate = onDuplicate()
        details.mountPoint = RandomText.maybe(using: &generator)
        details.fileMode = fileMode()
        details.allowedDirectories = RandomText.maybe(using: &generator).map { [$0] }
        return details
    }

    mutating func result() -> TransferOutcome.Result {
        let bytes: Int64 = RandomNumber.any(using: &generator)
        let status: Int = RandomNumber.any(using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: return .delivered(stagingPath: text(), bytes: bytes, statusCode: status, finalURL: text())
        case 1: return .uploaded(bytes: bytes, statusCode: status, finalURL: text())
        default:
            return .failed(
                TransferFailure(
                    kind: .status, message: text(), isRetryable: flag(), statusCode: status, retryAfterMs: nil))
        }
    }

    mutating func outcome() -> TransferOutcome {
        TransferOutcome(
            reference: reference(), sessionIdentifier: text(), taskIdentifier: RandomNumber.any(using: &generator),
            savePath: text(), workerName: text(), result: result(), details: flag() ? details() : nil)
    }

    mutating func progress() -> TransferProgress {
        let phases: [TransferPhase] = [
            .waiting(.slot), .waiting(.nextTry), .running, .paused, .finishing, .succeeded, .failed(message: text()),
        ]
        return TransferProgress(
            workID: text(), sessionIdentifier: text(), taskIdentifier: RandomNumber.any(using: &generator),
            group: RandomText.maybe(using: &generator), isUpload: flag(),
            phase: phases.randomElement(using: &generator) ?? .running, bytes: RandomNumber.any(using: &generator),
            totalBytes: RandomNumber.maybe(using: &generator), bytesPerSecond: RandomNumber.maybe(using: &generator))
    }

    /// Of the requests that are written by hand.
    mutating func clientFrame() -> ClientFrame {
        let request: AgentRequest =
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: .reserve(specification: .init(specification()))
            case 1: .resume(reference: reference())
            default: .acknowledge(reference: reference())
            }
        return ClientFrame(id: RandomNumber.any(using: &generator), request: request)
    }

    /// Of the frames that are written by hand.
    mutating func agentFrame() -> AgentFrame {
        let number: Int64 = RandomNumber.any(using: &generator)
        return switch Int.random(in: 0..<4, using: &generator) {
        case 0: .reply(id: number, reply: .done)
        case 1: .reply(id: number, reply: .reserved(taskIdentifier: RandomNumber.any(using: &generator)))
        case 2: .progress(list: (0..<Int.random(in: 0...3, using: &generator)).map { _ in progress() })
        default: .outcome(outcome())
        }
    }

    mutating func output() -> DownloadOutput {
        var output = DownloadOutput(savePath: text(), bytes: RandomNumber.any(using: &generator))
        output.statusCode = RandomNumber.maybe(using: &generator)
        output.url = RandomText.maybe(using: &generator)
        if flag() { output.headers = RandomText.headers(using: &generator) }
        output.durationMs = RandomNumber.maybe(using: &generator)
        output.requests = RandomNumber.maybe(using: &generator)
        if flag() { output.skipped = flag() }
        return output
    }
}
