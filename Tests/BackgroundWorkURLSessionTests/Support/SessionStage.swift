import BackgroundWorkModel
import BackgroundWorkTesting
import BackgroundWorkTransfers
import Synchronization
import TestSupport
import Testing

@testable import BackgroundWorkURLSession

/// A directory with scripted sessions, and services as processes have them one after the other.
struct SessionStage {
    static let session = "com.example.session"
    let folder: TemporaryFolder
    let sessions = ScriptedSessions()
    let clock = ManualClock()
    let stateStore: TransferStateStore

    init() throws {
        folder = try TemporaryFolder()
        stateStore = TransferStateStore(directory: folder.path, clock: clock) { Issue.record("\($0)") }
    }

    /// Puts an entry into the state file.
    ///
    /// - Parameter reference: `nil` for one of the ancestor.
    func addEntry(_ task: Int64, _ reference: TransferReference? = SessionStage.reference("a")) async throws {
        try await stateStore.put(
            TransferEntry(
                sessionIdentifier: Self.session, taskIdentifier: task, savePath: folder.path + "/film",
                workerName: "BackgroundDownloadWorker", createdAt: WallTime(clock.now), reference: reference))
    }

    var scripted: ScriptedSession { sessions[Self.session] }

    func service(
        in directory: String? = nil, folders: FolderMoves = .none, session: BackgroundSessionOptions = .init(),
        report: @escaping @Sendable (String) -> Void = { _ in }, resolver: HostResolver = .system
    ) -> URLSessionTransferService {
        URLSessionTransferService(
            directory: directory ?? folder.path, store: "store", provider: sessions, session: session,
            folders: folders, clock: clock,
            random: { 0.5 },
            stateStore: stateStore, report: report, resolver: resolver)
    }

    static func reference(_ name: String, generation: Int64 = 1) -> TransferReference {
        TransferReference(store: "store", key: TransferKey(workID: name, generation: generation))
    }

    func download(
        _ name: String, _ change: (inout DownloadJob, inout TransferOptions) -> Void = { _, _ in }
    ) -> TransferSpecification {
        var (job, options) = (DownloadJob(), TransferOptions())
        options.retry = .never
        options.proxy = .direct
        change(&job, &options)
        return TransferSpecification(
            reference: Self.reference(name), sessionIdentifier: Self.session, url: "https://example.com/\(name)",
            job: .download(job), options: options, securityPolicy: .unrestricted, savePath: folder.path + "/\(name)",
            workerName: "BackgroundDownloadWorker")
    }

    /// A multipart upload of a file with this content.
    func upload(_ name: String, _ content: String, retry: RetryPolicy = .never) throws -> TransferSpecification {
        let path = folder.path + "/\(name)"
        try Data(content.utf8).write(to: URL(filePath: path))
        var specification = download(name) { _, options in options.retry = retry }
        specification.savePath = path
        specification.job = .upload(
            UploadJob(method: "POST", form: .multipart(), source: try #require(UploadSource.found(at: path))))
        return specification
    }

    /// The next task of a transfer, made by what an event has begun.
    func task(
        of specification: TransferSpecification, after task: ScriptedTask, with service: URLSessionTransferService
    ) async throws -> ScriptedTask {
        while true {
            // Answered after what was begun before.
            _ = try await service.transfers()
            guard let next = self.task(of: specification), next !== task else { continue }
            // What has made it has also started it by then.
            _ = try await service.transfers()
            return next
        }
    }

    /// Reserves and starts a transfer, and returns its task.
    func begin(
        _ specification: TransferSpecification, with service: URLSessionTransferService
    ) async throws -> ScriptedTask {
        _ = try await service.reserve(specification)
        try await service.resume(specification.reference)
        return try #require(task(of: specification))
    }

    /// The newest task of a transfer that was not cancelled.
    func task(of specification: TransferSpecification) -> ScriptedTask? {
        scripted.tasks.last {
            !$0.isCancelled && TaskLabel($0.taskDescription)?.specification.reference == specification.reference
        }
    }
}

/// Records the outcomes that a service delivers, and the progress that it reports.
final class OutcomeRecorder: TransferReceiver {
    private let recorder = Recorder<TransferOutcome>()
    private let reports = Recorder<TransferProgress>()

    var outcomes: [TransferOutcome] { recorder.values }
    var progress: [TransferProgress] { reports.values }

    /// Returns when so many outcomes have been delivered.
    func wait(for count: Int) async { await recorder.wait { $0.count >= count } }

    func receive(_ outcome: TransferOutcome) { recorder.add(outcome) }

    func connected(epoch: String, transfers: [TransferSnapshot]) async {}
    func caughtUp() async {}
    func receive(_ progress: [TransferProgress]) { for report in progress { reports.add(report) } }
    func unreachable(_ error: any Error) async { Issue.record("\(error)") }
}
