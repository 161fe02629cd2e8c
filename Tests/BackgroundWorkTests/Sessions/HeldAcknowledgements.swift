import BackgroundWorkTesting
import BackgroundWorkTransfers
import TestSupport

/// A daemon that does not answer acknowledgements of one session before a latch opens.
struct HeldAcknowledgements: TransferService {
    let latch = Latch()
    private let daemon: ScriptedTransferService
    private let session: String

    init(_ daemon: ScriptedTransferService, session: String) {
        self.daemon = daemon
        self.session = session
    }

    func acknowledge(_ reference: TransferReference) async throws {
        let known = try await daemon.transfers()
        if known.contains(where: { $0.reference == reference && $0.sessionIdentifier == session }) {
            await latch.wait()
        }
        try await daemon.acknowledge(reference)
    }

    func reserve(_ specification: TransferSpecification) async throws -> Int64 {
        try await daemon.reserve(specification)
    }
    func resume(_ reference: TransferReference) async throws { try await daemon.resume(reference) }
    func setPaused(_ reference: TransferReference, _ isPaused: Bool) async throws {
        try await daemon.setPaused(reference, isPaused)
    }
    func cancel(_ references: [TransferReference]) async throws { try await daemon.cancel(references) }
    func transfers() async throws -> [TransferSnapshot] { try await daemon.transfers() }
    func receive(with receiver: any TransferReceiver, immediately: Bool) async {
        await daemon.receive(with: receiver, immediately: immediately)
    }
    func disconnect() async { await daemon.disconnect() }
}
