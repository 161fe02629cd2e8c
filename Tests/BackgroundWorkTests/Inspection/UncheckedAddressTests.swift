import BackgroundWork
import BackgroundWorkModel
import BackgroundWorkTransfers
import TestSupport
import Testing

/// What an explanation says of a security policy that the platform cannot apply to every address.
struct UncheckedAddressTests {
    private func explanation(
        of worker: String, by capabilities: TransferCapabilities, under policy: SecurityPolicy
    ) async throws -> WorkExplanation? {
        let fixture = try SchedulerFixture()
        let service = try FolderTransferService(folder: fixture.folder.path + "/daemon", capabilities: capabilities)
        let scheduler = try fixture.open {
            $0.clock = fixture.clock
            $0.securityPolicy = policy
            $0.transferService = service
        }
        let request = TaskRequest(workerClassName: worker, inputJSON: #"{"url":"https://h/f","savePath":"/f"}"#)
        try await scheduler.enqueue(request, id: "a")
        let explanation = try await scheduler.explain(id: "a")
        await scheduler.shutdown()
        return explanation
    }

    @Test("of a transfer by URL sessions, it says that rebinding and redirects are not covered")
    func sessions() async throws {
        let explanation = try await explanation(
            of: "BackgroundDownloadWorker", by: .urlSession(), under: .publicInternet)
        #expect(explanation?.uncheckedAddresses?.contains("DNS rebinding") == true)
        #expect(explanation?.description.contains("DNS rebinding") == true)
        #expect(explanation?.description.contains("redirects") == true)
    }

    @Test("of other work, of one that may dial any address, and where each address is checked, it says nothing")
    func nothing() async throws {
        for (worker, capabilities, policy) in [
            ("Other", .urlSession(), .publicInternet), ("BackgroundDownloadWorker", .urlSession(), .unrestricted),
            ("BackgroundDownloadWorker", .all, .publicInternet),
        ] as [(String, TransferCapabilities, SecurityPolicy)] {
            let explanation = try await explanation(of: worker, by: capabilities, under: policy)
            #expect(explanation != nil)
            #expect(explanation?.uncheckedAddresses == nil)
        }
    }
}
