import BackgroundWorkModel
import BackgroundWorkTesting
import BackgroundWorkTransfers
import Foundation
import TestSupport
import Testing

@testable import BackgroundWork

/// The state file of direct transfers.
struct StandaloneEntriesTests {
    @Test("entries of what neither the record nor the daemon knows go with a connection, all in one write")
    func entriesOfNothing() async throws {
        let folder = try TemporaryFolder()
        var configuration = StandaloneTransferConfiguration(directory: URL(filePath: folder.path))
        configuration.transferService = try ScriptedTransferService()
        let transfers = try StandaloneTransfers(configuration)
        let store = await transfers.store
        let entries = transfers.stateStore
        let known = try await store.begin("known", request: "")
        for task in Int64(1)...4 {
            let key = task == 4 ? known.key : TransferKey(workID: "left \(task)", generation: 1)
            try await entries.put(
                TransferEntry(
                    sessionIdentifier: "s", taskIdentifier: task, savePath: "/f", workerName: "w",
                    createdAt: WallTime(milliseconds: 0),
                    // Entries of the ancestor name no work.
                    reference: task == 3 ? nil : TransferReference(store: store.identity, key: key)))
        }
        let before = entries.rewrites
        await transfers.connected(epoch: "e", transfers: [])
        #expect(try await entries.loadEntries().map(\.taskIdentifier) == [4])
        #expect(entries.rewrites == before + 1)
        await transfers.shutDown(gracePeriod: .zero)
    }
}
