import BackgroundWork
import BackgroundWorkAgentClient
import BackgroundWorkConsole
import BackgroundWorkTransfers
import Foundation

/// Observes the transfers of a directory without affecting them: it receives no outcomes, changes no limits, and sets
/// no launch command.
final class TransferObserver: TransferReceiver {
    enum Observation: Sendable {
        case list([ShownTransfer])
        case progress([TransferProgress])
        case unreachable(String)
    }

    /// The observations after ``follow()``. Only the newest 4096 are kept if the reader is slow.
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

    /// Subscribes to the progress, also with the next agent if this one ends.
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
