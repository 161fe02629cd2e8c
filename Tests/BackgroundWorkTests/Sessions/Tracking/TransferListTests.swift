import BackgroundWorkTransfers
import Testing

@testable import BackgroundWork

@Suite("What a tracker makes of reports and events")
struct TransferListTests {
    private func report(
        _ id: String, task: Int64 = 1, _ phase: TransferPhase = .running, bytes: Int64 = 0, group: String? = nil
    ) -> TransferProgress {
        TransferProgress(
            workID: id, sessionIdentifier: "s", taskIdentifier: task, group: group, phase: phase, bytes: bytes,
            totalBytes: 100, bytesPerSecond: 5)
    }

    private func end(_ id: String, _ outcome: WorkOutcome = .succeeded, output: String? = nil) -> TransferList.End {
        TransferList.End(workID: id, outcome: outcome, message: "why", outputJSON: output)
    }

    @Test("a report that changes nothing is no news")
    func noNews() {
        var book = TransferList(endedLimit: 10, group: nil)
        let isNews1 = book.note(report("a", bytes: 1))
        #expect(isNews1)
        let isNews2 = book.note(report("a", bytes: 1))
        #expect(!isNews2)
        let isNews3 = book.note(report("a", bytes: 2))
        #expect(isNews3)
    }

    @Test("the last byte is not the end: a transfer has succeeded when its work has")
    func finishing() {
        var book = TransferList(endedLimit: 10, group: nil)
        _ = book.note(report("a", .succeeded, bytes: 100))
        #expect(book.transfers.map(\.phase) == [.finishing])
        _ = book.note(end("a", output: #"{"savePath":"/x/a_1.bin","bytes":100}"#), adds: false)
        #expect(book.transfers.map(\.phase) == [.succeeded])
        #expect(book.transfers.map(\.fileName) == ["a_1.bin"])
    }

    @Test("a report that comes after the end of its attempt changes nothing")
    func lateReport() {
        var book = TransferList(endedLimit: 10, group: nil)
        _ = book.note(report("a", task: 2, bytes: 100))
        _ = book.note(end("a", .cancelled), adds: false)
        let isNews4 = book.note(report("a", task: 2, bytes: 50))
        #expect(!isNews4)
        let isNews5 = book.note(report("a", task: 1, bytes: 50))
        #expect(!isNews5)
        #expect(book.transfers.map(\.outcome) == [.cancelled])
    }

    @Test("another attempt starts from zero, at the position of the previous one")
    func again() {
        var book = TransferList(endedLimit: 10, group: nil)
        _ = book.note(report("a", task: 1, .failed(message: "x"), bytes: 50))
        _ = book.note(report("b", task: 2))
        _ = book.note(end("a", .failed), adds: false)
        let isNews6 = book.note(report("a", task: 3, bytes: 7))
        #expect(isNews6)
        #expect(book.transfers.map(\.id) == ["a", "b"])
        #expect(book.transfers.map(\.outcome) == [nil, nil])
        #expect(book.transfers.first?.bytes == 7)
        book.removeEnded()
        #expect(book.transfers.count == 2)
    }

    @Test("a transfer that came and went between two reports is listed by its end")
    func shortOne() {
        var book = TransferList(endedLimit: 10, group: nil)
        let isNews7 = book.note(end("u", output: #"{"filePath":"/x/u.txt","bytes":3}"#), adds: true)
        #expect(isNews7)
        #expect(book.transfers.map(\.isUpload) == [true])
        #expect(book.transfers.map(\.fileName) == ["u.txt"])
        let isNews8 = book.note(end("other work"), adds: false)
        #expect(!isNews8)
    }

    @Test("of those that have ended the oldest go first")
    func limit() {
        var book = TransferList(endedLimit: 2, group: nil)
        for id in ["a", "b", "c", "d"] {
            _ = book.note(report(id))
            if id != "d" { _ = book.note(end(id), adds: false) }
        }
        #expect(book.transfers.map(\.id) == ["b", "c", "d"])
        book.removeEnded()
        #expect(book.transfers.map(\.id) == ["d"])
        #expect(book.unfinished == ["d"])
    }

    @Test("a book of one group leaves the others out")
    func ofGroup() {
        var book = TransferList(endedLimit: 10, group: "films")
        let isNews9 = book.note(report("a", group: "songs"))
        #expect(!isNews9)
        let isNews10 = book.note(end("a"), adds: true)
        #expect(!isNews10)
        let isNews11 = book.note(report("b", group: "films"))
        #expect(isNews11)
        #expect(book.transfers.map(\.id) == ["b"])
    }
}
