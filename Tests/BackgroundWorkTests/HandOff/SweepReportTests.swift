import Testing

@testable import BackgroundWork

/// The sweep's report as one line.
struct SweepReportTests {
    private func entry(_ number: Int64) -> SweepReport.DroppedEntry {
        .init(
            sessionIdentifier: "s", taskIdentifier: number, savePath: "/f\(number)", workID: "w\(number)", generation: 2
        )
    }

    @Test("few entries are named, of many the first ones, and the rest is counted")
    func dropped() {
        var report = SweepReport()
        #expect(report.description == "0 entries found, 0 dropped, 0 old but alive")
        report.entriesFound = 1
        report.dropped = [entry(1)]
        #expect(report.description == "1 entry found, 1 dropped, 0 old but alive; dropped: w1#2 to /f1")
        report.entriesFound = 9
        report.dropped = (1...7).map(entry)
        #expect(
            report.description.hasSuffix(
                "dropped: w1#2 to /f1, w2#2 to /f2, w3#2 to /f3, w4#2 to /f4, w5#2 to /f5 and 2 more"))
    }

    @Test("when the daemon could not be asked, nothing is said of what it knows")
    func notAsked() {
        var report = SweepReport()
        report.entriesFound = 3
        report.daemonError = "it hangs"
        #expect(
            report.description == "3 entries found, none dropped, because the daemon could not be asked: it hangs")
    }
}
