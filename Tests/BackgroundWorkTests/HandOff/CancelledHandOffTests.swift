import BackgroundWorkModel
import BackgroundWorkTesting
import BackgroundWorkTransfers
import Foundation
import TestSupport
import Testing

@testable import BackgroundWork

/// A hand-off that is cancelled after its reservation.
struct CancelledHandOffTests {
    @Test(
        "what it has reserved is withdrawn when its work has ended, and stays for the next launch otherwise",
        arguments: [false, true])
    func reservation(isSettled: Bool) async throws {
        let folder = try TemporaryFolder()
        let service = try FolderTransferService(folder: folder.path + "/daemon")
        let stateStore = TransferStateStore(directory: folder.path, clock: ManualClock(), report: { _ in })
        let handOff = TransferHandOff(
            service: service, stateStore: stateStore, store: "store", sessionIdentifier: "s",
            securityPolicy: .publicInternet, clock: ManualClock(), isSettled: { _ in isSettled }, environment: { [:] })
        let download = DownloadConfiguration(url: "https://example.com/film", savePath: folder.path + "/film")
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await handOff.handOff(
                download, defaultSession: "s", key: TransferKey(workID: "film", generation: 1), workerName: "W")
        }
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        #expect(service.records.count == (isSettled ? 0 : 1))
        #expect(try await stateStore.loadEntries().isEmpty)
    }
}
