import BackgroundWork
import BackgroundWorkModel
import BackgroundWorkTesting
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import BackgroundWorkBuiltIns

/// A server, a folder, and what runs workers against the one in the other.
struct WorkerPlace {
    let server: LocalHTTPServer
    let folder: TemporaryFolder
    /// On which waits are short.
    let clock = QuickClock(factor: 1000)
    private let transports = SharedTransports()

    init() throws {
        server = try LocalHTTPServer()
        folder = try TemporaryFolder()
        server.acceptUploads(at: "/in")
        server.serve(.bytes(Array("hello".utf8)), at: "/small")
        try server.start()
    }

    func services(
        _ policy: SecurityPolicy = .unrestricted, clock: (any WorkClock)? = nil
    ) -> BuiltInServices {
        BuiltInServices(securityPolicy: policy, transports: transports, clock: clock ?? self.clock)
    }

    /// Runs a worker once, without a scheduler.
    func run<W: BuiltInWorker>(
        _ type: W.Type, _ input: W.Input, under policy: SecurityPolicy = .unrestricted,
        clock: (any WorkClock)? = nil, services run: WorkerRun = WorkerRun()
    ) async throws -> WorkerResult {
        try await type.init(services(policy, clock: clock)).doWork(input, context: run.context)
    }

    /// The output of a success.
    func output<W: BuiltInWorker>(
        _ type: W.Type, _ input: W.Input, services run: WorkerRun = WorkerRun()
    ) async throws -> W.Output {
        let result = try await self.run(type, input, services: run)
        guard case .success(_, let json?) = result else {
            Issue.record("\(result)")
            throw CancellationError()
        }
        return try JSONDecoder().decode(W.Output.self, from: Data(json.utf8))
    }

    /// Writes a file of so many bytes, and returns its path.
    func file(_ name: String = "photo.jpg", bytes: Int = 100_000, seed: Int = 7) throws -> String {
        let path = folder.path + "/" + name
        try Data(Self.content(bytes, seed)).write(to: URL(filePath: path))
        return path
    }

    static func content(_ bytes: Int, _ seed: Int = 7) -> [UInt8] {
        (0..<bytes).map { UInt8(truncatingIfNeeded: $0 &* seed &+ $0 >> 8) }
    }

    /// A scheduler that may reach the server.
    func scheduler(
        configure: (inout WorkScheduler.Configuration, inout WorkerRegistry) throws -> Void = { _, _ in }
    ) throws -> WorkScheduler {
        var configuration = WorkScheduler.Configuration(directory: URL(filePath: folder.path + "/scheduler"))
        configuration.securityPolicy = .unrestricted
        var workers = WorkerRegistry()
        try configure(&configuration, &workers)
        return try WorkScheduler(configuration: configuration, workers: workers)
    }
}

/// What a worker gets of a scheduler, recorded.
final class WorkerRun: WorkerRunServices {
    private let saved: Mutex<String?>
    let reports = Recorder<WorkerProgress>()
    let checkpoints = Recorder<String?>()

    init(checkpoint: String? = nil) { saved = Mutex(checkpoint) }

    var context: WorkerContext {
        WorkerContext(
            workID: "w", chainID: nil, stepIndex: 0, occurrence: 0, runAttempt: 1, previousOutputs: [], metadata: [:],
            deadline: nil, key: TransferKey(workID: "w", generation: 1), services: self)
    }

    var stopReason: StopReason? { nil }
    var checkpoint: String? { saved.withLock { $0 } }

    func saveCheckpoint(_ json: String?) async throws {
        saved.withLock { $0 = json }
        checkpoints.add(json)
    }

    func report(_ progress: WorkerProgress) { reports.add(progress) }
    func outputs(beforeStep step: Int) async throws -> [StepOutputs] { [] }
    func outputs(ofStep step: Int) async throws -> StepOutputs? { nil }
    func enqueue(_ submission: TaskSubmission) throws(EnqueueError) -> String {
        throw .emptyStep(chainID: nil, step: 0)
    }
    func enqueue(chain: ChainSteps, id: String?, policy: ExistingWorkPolicy) throws(EnqueueError) -> String {
        throw .emptyStep(chainID: nil, step: 0)
    }
}

extension WorkerResult {
    /// Why it is to be retried; `nil` for any other result.
    var retryReason: String? { if case .retry(let reason, _, _) = self { reason } else { nil } }
    /// Why it has failed; `nil` for any other result.
    var failureMessage: String? { if case .failure(let message) = self { message } else { nil } }
    /// Whether it is a success.
    var isSuccess: Bool { if case .success = self { true } else { false } }
}
