import BackgroundWorkModel
import BackgroundWorkTransfers
import Testing

@testable import BackgroundWorkURLSession

@Suite("The label of a task")
struct TaskLabelTests {
    static func specification() -> TransferSpecification {
        var options = TransferOptions()
        options.headers = ["X-Name": "a \"quoted\" value\n"]
        return TransferSpecification(
            reference: TransferReference(store: "s", key: TransferKey(workID: "work #1", generation: 7)),
            sessionIdentifier: "session", url: "https://example.com/a?b", options: options,
            addressPolicy: .publicInternet, savePath: "/tmp/a", workerName: "BackgroundDownloadWorker")
    }

    @Test("it is read as it was written")
    func roundTrip() throws {
        let label = TaskLabel(Self.specification())
        #expect(TaskLabel(try label.text()) == label)
    }

    @Test("other text is no label", arguments: [nil, "", "{}", "BackgroundWork 1 ", "BackgroundWork 1 {}", "my task"])
    func others(_ text: String?) { #expect(TaskLabel(text) == nil) }
}
