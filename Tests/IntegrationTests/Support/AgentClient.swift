import BackgroundWork
import BackgroundWorkAgentClient
import BackgroundWorkModel
import BackgroundWorkTransfers
import Synchronization
import TestSupport
import Testing

/// A client that sends requests to the agent directly, without a scheduler.
final class AgentClient: Sendable {
    let place: Workplace
    let service: AgentTransferService
    private let heard = Heard()

    private final class Heard: TransferReceiver {
        let outcomes = Mutex<[TransferOutcome]>([])

        func connected(epoch: String, transfers: [TransferSnapshot]) async {}
        func caughtUp() async {}
        func receive(_ outcome: TransferOutcome) { outcomes.withLock { $0.append(outcome) } }
        func receive(_ progress: [TransferProgress]) {}
        func unreachable(_ error: any Error) async {}
    }

    init(_ place: Workplace, limits: TransferLimits = .init(), patience: AgentPatience = .init()) {
        self.place = place
        service = AgentTransferService(
            directory: place.directory, store: "test", agentExecutable: place.agentScript, launchCommand: nil,
            limits: limits, clock: SystemWorkClock(), patience: patience, highestTaskIdentifier: { 0 })
    }

    /// Subscribes to outcomes. Starts the agent.
    func listen() async { await service.receive(with: heard, immediately: true) }

    /// A client with these limits that subscribes to outcomes.
    static func listening(
        _ place: Workplace, _ change: (inout TransferLimits) -> Void = { _ in }
    ) async -> AgentClient {
        var limits = TransferLimits()
        change(&limits)
        let client = AgentClient(place, limits: limits)
        await client.listen()
        return client
    }

    func reference(_ name: String) -> TransferReference {
        TransferReference(store: "test", key: TransferKey(workID: name, generation: 1))
    }

    // MARK: Transfers

    func specification(
        _ name: String, url: String, job: TransferJob = .download(DownloadJob()),
        _ change: (inout TransferSpecification) -> Void = { _ in }
    ) -> TransferSpecification {
        var options = TransferOptions()
        options.retry = .never
        options.proxy = .direct
        var specification = TransferSpecification(
            reference: reference(name), sessionIdentifier: "session", url: url, job: job, options: options,
            securityPolicy: .unrestricted, savePath: place.folder.path + "/downloads/" + name, workerName: "Test")
        change(&specification)
        return specification
    }

    /// Has a download of the server's `path` started.
    @discardableResult
    func download(
        _ name: String, _ path: String = "/file", _ change: (inout TransferSpecification) -> Void = { _ in }
    ) async throws -> Int64 {
        try await start(specification(name, url: place.server.url(path), change))
    }

    /// Has an upload of the place's source to the server's `path` started.
    @discardableResult
    func upload(
        _ name: String, _ path: String = "/upload", form: UploadForm = .body(), source: UploadSource? = nil,
        _ change: (inout TransferSpecification) -> Void = { _ in }
    ) async throws -> Int64 {
        let job = UploadJob(method: "PUT", form: form, source: source ?? place.source)
        return try await start(specification(name, url: place.server.url(path), job: .upload(job), change))
    }

    @discardableResult
    func start(_ specification: TransferSpecification) async throws -> Int64 {
        let task = try await service.reserve(specification)
        try await service.resume(specification.reference)
        return task
    }

    // MARK: Looking

    func snapshot(_ name: String) async throws -> TransferSnapshot? {
        try await service.transfers().first { $0.reference == reference(name) }
    }

    func phase(_ name: String) async throws -> TransferPhase? { try await snapshot(name)?.phase }

    /// Waits until a transfer is as wanted by what the agent says of it.
    func wait(for name: String, _ what: String, _ condition: (TransferSnapshot) -> Bool) async throws {
        var newest: TransferSnapshot?
        let isAsWanted = try await comesTrue(within: .seconds(120)) {
            newest = try await snapshot(name)
            return newest.map(condition) ?? false
        }
        guard isAsWanted else {
            throw Workplace.Timeout(what: "\(name) \(what), not \(String(describing: newest))", log: place.logs)
        }
    }

    var outcomes: [TransferOutcome] { heard.outcomes.withLock { $0 } }

    /// Waits for the end of a transfer.
    func outcome(_ name: String) async throws -> TransferOutcome.Result {
        try await place.wait(for: "the outcome of \(name)") {
            self.outcomes.contains { $0.reference == self.reference(name) }
        }
        let outcome = outcomes.first { $0.reference == reference(name) }
        return outcome?.result ?? .failed(TransferFailure(kind: .invalid, message: "no outcome", isRetryable: false))
    }

    /// Waits for the end of a download, and expects its file to be this.
    func expectDelivery(of name: String, content: [UInt8]) async throws {
        let outcome = try await outcome(name)
        guard case .delivered(let path, _, _, _) = outcome else {
            Issue.record("\(name): \(outcome) \(place.logs)")
            return
        }
        #expect(place.hasSaved(content, at: path))
    }
}

extension TransferOutcome.Result {
    var isSuccess: Bool { failure == nil }
    var failure: TransferFailure? { if case .failed(let failure) = self { failure } else { nil } }
}
