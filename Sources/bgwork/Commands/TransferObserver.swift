#if os(Linux)
import BackgroundWork
import BackgroundWorkConsole
import BackgroundWorkTransfers
import Foundation

/// Looks at the transfers of a directory without a part in them: it takes no outcomes, changes no limits, and says
/// nothing of how a host is launched.
final class TransferObserver: TransferReceiver {
    enum Observation: Sendable {
        case list([ShownTransfer])
        case progress([TransferProgress])
        case unreachable(String)
    }

    /// What comes after ``follow()``. The newest 4096, should the reader be behind.
    let observations: AsyncStream<Observation>
    private let continuation: AsyncStream<Observation>.Continuation
    private let service: AgentTransferService

    init(_ folder: TransfersFolder) {
        (observations, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(4096))
        service = AgentTransferService(
            directory: folder.path, store: "observer", agentExecutable: nil, launchCommand: nil, limits: nil,
            takesOutcomes: false, clock: SystemWorkClock(), highestTaskIdentifier: { 0 })
    }

    /// All that the agent knows, by number. Starts it if there has ever been a transfer.
    func transfers() async throws -> [ShownTransfer] {
        try await service.transfers().map(ShownTransfer.init).sorted { $0.number < $1.number }
    }

    /// Has the progress told, and told again by a next agent should this one end.
    func follow() async { await service.receive(with: self, immediately: true) }

    func stop() async {
        continuation.finish()
        await service.disconnect()
    }

    func connected(epoch: String, transfers: [TransferSnapshot]) async {
        continuation.yield(.list(transfers.map(ShownTransfer.init)))
    }
    func caughtUp() async {}
    func receive(_ outcome: TransferOutcome) {}
    func receive(_ progress: [TransferProgress]) { continuation.yield(.progress(progress)) }
    func unreachable(_ error: any Error) async { continuation.yield(.unreachable("\(error)")) }
}
#endif
