import BackgroundWorkAgentClient
import BackgroundWorkModel
import BackgroundWorkSessionTesting
import BackgroundWorkTesting
import BackgroundWorkTransfers
import BackgroundWorkURLSession
import Foundation
import Synchronization

@testable import BackgroundWork

/// A daemon of some kind, and what makes its transfers move and end.
final class DaemonStage: Sendable {
    static let store = "store"
    static let content = HostDeathTests.content

    let place: Workplace
    private let scripted: ScriptedTransferService?
    private let sessions: URLSessionProvider?
    private let daemon: SimulatedURLSessionDaemon?
    /// Of the simulated daemon's newest client.
    private let connection = Mutex<SimulatedSessions?>(nil)

    init(_ kind: DaemonKind) throws {
        place = try Workplace()
        scripted = kind == .scripted ? try ScriptedTransferService() : nil
        sessions =
            kind == .urlSession ? URLSessionProvider(outlivesProcess: false) { _ in .ephemeral } : nil
        daemon = kind == .simulated ? try SimulatedURLSessionDaemon() : nil
    }

    deinit { daemon?.stop() }

    /// A client of the daemon, as each process has one.
    func client(limits: TransferLimits = TransferLimits()) throws -> any TransferService {
        if let scripted { return scripted }
        if let provider = try sessions ?? connect() {
            return URLSessionTransferService(
                directory: place.directory, store: Self.store, provider: provider, clock: SystemWorkClock(),
                stateStore: TransferStateStore(
                    directory: place.directory, clock: SystemWorkClock(), report: { _ in }))
        }
        return AgentTransferService(
            directory: place.directory, store: Self.store, agentExecutable: place.agentScript, launchCommand: nil,
            limits: limits, clock: SystemWorkClock(), highestTaskIdentifier: { 0 })
    }

    /// To the simulated daemon, as the next process does it.
    private func connect() throws -> (any BackgroundSessionProvider)? {
        guard let daemon else { return nil }
        return try connection.withLock { connection in
            connection?.disconnect()
            let next = try SimulatedSessions(daemon)
            connection = next
            return next
        }
    }

    static func reference(_ name: String, generation: Int64 = 1) -> TransferReference {
        TransferReference(store: store, key: TransferKey(workID: name, generation: generation))
    }

    /// A download that stays in progress until ``finish(_:)``.
    func specification(_ name: String, session: String = "s") -> TransferSpecification {
        place.server.serve(.bytes(Self.content), at: "/\(name)")
        place.server.setBehaviour(.holdAfter(bytes: 20_000), for: "/\(name)")
        var options = TransferOptions()
        options.retry = .never
        options.proxy = .direct
        options.group = "group"
        return TransferSpecification(
            reference: Self.reference(name), sessionIdentifier: session, url: place.server.url("/\(name)"),
            options: options, securityPolicy: .unrestricted, savePath: place.folder.path + "/\(name)",
            workerName: "BackgroundDownloadWorker")
    }

    /// Reserves and starts a transfer.
    func begin(_ name: String, with client: any TransferService) async throws {
        _ = try await client.reserve(specification(name))
        try await client.resume(Self.reference(name))
    }

    /// Lets a transfer in progress end.
    func finish(_ name: String) throws {
        if let scripted {
            try scripted.end(workID: name, with: .downloaded(Self.content))
        } else {
            place.server.setBehaviour(.correct, for: "/\(name)")
            place.server.release("/\(name)")
        }
    }
}
