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
            securityPolicy: .publicInternet, savePath: "/tmp/a", workerName: "BackgroundDownloadWorker")
    }

    @Test("it is read as it was written")
    func roundTrip() throws {
        let label = TaskLabel(Self.specification())
        #expect(TaskLabel(try label.text()) == label)
        #expect(TaskLabel.reference(in: try label.text()) == label.specification.reference)
    }

    @Test(
        "other text is no label",
        arguments: [
            nil, "", "{}", "BackgroundWork 1 ", "BackgroundWork 1 {}", "my task", "BackgroundWork 1 1 2 s",
            "BackgroundWork 1 -1 3 sa#1{}", "BackgroundWork 1 1 3 sa#x{}", "BackgroundWork 1 1 3 sa#1{}",
        ])
    func others(_ text: String?) { #expect(TaskLabel(text) == nil) }
}
