import BackgroundWorkModel
import BackgroundWorkStorage
import BackgroundWorkTransfers
import TestSupport
import Testing

@testable import BackgroundWorkAgent

/// What the journal holds of transfers beside their beginning and end.
@Suite("The journal's transfers")
struct JournalTransferTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/agent.sqlite" }
    private let now = WallTime(milliseconds: 1)
    private let reference = TransferSpecification.sample().reference

    init() throws { folder = try TemporaryFolder() }

    /// With one active transfer, number 1.
    private func journal() throws -> Journal {
        let journal = try Journal(path: path)
        _ = try journal.reserve(.sample(), at: now)
        _ = try journal.resume(reference, at: WallTime(milliseconds: 5), boot: "b")
        return journal
    }

    private func active(_ journal: Journal) throws -> TransferRecord {
        try #require(try journal.activeTransfers { Issue.record("\($0)") }.first)
    }

    @Test("a pause before the start is stored, and a finished transfer cannot be paused")
    func paused() throws {
        let journal = try Journal(path: path)
        #expect(try journal.setPaused(reference, true) == nil)
        _ = try journal.reserve(.sample(), at: now)
        #expect(try journal.setPaused(reference, true) == 1)
        #expect(try journal.snapshots(after: 0).list.map(\.phase) == [.paused])
        guard case .started(let record) = try journal.resume(reference, at: now, boot: "b") else {
            Issue.record("not started")
            return
        }
        #expect(record.isPaused)
        #expect(try active(try Journal(path: path)).isPaused)
        #expect(try journal.setPaused(reference, false) == 1)
        #expect(try !active(journal).isPaused)
        #expect(
            try journal.finish(
                TransferOutcome(
                    reference: reference, sessionIdentifier: "session", taskIdentifier: 1, savePath: "/s",
                    workerName: "W", result: .uploaded(bytes: 9, statusCode: 200, finalURL: "http://h/")), keeping: nil)
                != nil)
        #expect(try journal.setPaused(reference, true) == nil)
        #expect(try journal.snapshots(after: 0).list.map(\.phase) == [.succeeded])
    }

    @Test("a failed attempt survives a restart, and resuming the transfer removes its wait")
    func attempts() throws {
        do {
            let journal = try journal()
            #expect(try active(journal).failures == 0)
            #expect(try active(journal).nextAttempt == nil)
            let next = WallTime(milliseconds: 9_000_000_000_000)
            #expect(try active(journal).mirrorFailures.isEmpty)
            var earlier = MirrorFailures()
            earlier.add(TransferFailure(kind: .status, message: "404", isRetryable: false))
            let record = AttemptRecord(failures: 3, nextAttempt: next, mirror: 2, mirrorFailures: earlier)
            try journal.recordAttempt(record, task: 1)
        }
        let journal = try Journal(path: path)
        #expect(try active(journal).failures == 3)
        #expect(try active(journal).nextAttempt == WallTime(milliseconds: 9_000_000_000_000))
        #expect(try active(journal).mirror == 2)
        #expect(try active(journal).mirrorFailures.messages == ["404"])
        _ = try journal.setPaused(reference, true)
        _ = try journal.setPaused(reference, false)
        #expect(try active(journal).nextAttempt == nil)
        #expect(try active(journal).failures == 3)
        try journal.recordAttempt(AttemptRecord(failures: 0, nextAttempt: nil, mirror: 0), task: 99)
        #expect(try active(journal).mirror == 2)
    }

    @Test("the parts of a checkpoint come back as they were, and a new body has none")
    func parts() throws {
        let journal = try journal()
        var table = SegmentTable(total: 8 << 20, received: 77)
        table.split(into: 3)
        try journal.recordEntity(RecordedEntity(validator: "v", total: 8 << 20), task: 1, boot: "b")
        try journal.recordCheckpoint(77, parts: table, task: 1)
        #expect(try active(journal).parts == table)
        #expect(try active(journal).checkpoint == 77)
        try journal.recordEntity(RecordedEntity(validator: "w", total: 5), task: 1, boot: "b")
        #expect(try active(journal).parts == nil)
        #expect(try active(journal).checkpoint == 0)
    }

    @Test("parts that do not cover their file are ignored")
    func brokenParts() throws {
        let journal = try journal()
        let broken = #"{"total":10,"segments":[{"start":0,"end":4,"mark":0},{"start":6,"end":10,"mark":10}]}"#
        try journal.connection.run("UPDATE transfers SET parts = ?, checkpoint = 4", .text(broken))
        var reports: [String] = []
        let records = try journal.activeTransfers { reports.append($0) }
        #expect(records.allSatisfy { $0.parts == nil && $0.checkpoint == 0 })
        #expect(records.count == 1, "\(reports)")
    }

    @Test("the URL that a server has created for an upload is stored, and removed")
    func uploadURL() throws {
        let journal = try journal()
        try journal.recordUploadURL("http://h/files/1", task: 1)
        #expect(try active(journal).uploadURL == "http://h/files/1")
        try journal.recordUploadURL(nil, task: 1)
        #expect(try active(journal).uploadURL == nil)
    }

    @Test("limits survive a restart")
    func limits() throws {
        var limits = TransferLimits()
        limits.perHost = 2
        limits.bytesPerSecond = 5000
        do {
            let journal = try Journal(path: path)
            #expect(try journal.limits() == nil)
            try journal.setLimits(limits)
        }
        #expect(try Journal(path: path).limits() == limits)
    }

    @Test("a list comes in pages that continue where the one before ended", arguments: [0, 1, 255, 256, 257, 600])
    func pages(count: Int) throws {
        let journal = try Journal(path: path)
        try journal.connection.execute("BEGIN")
        for number in 0..<count { _ = try journal.reserve(.sample("work-\(number)"), at: now) }
        // A gap, as cancelled transfers leave.
        if count > 10 { _ = try journal.cancel(TransferSpecification.sample("work-5").reference) }
        try journal.connection.execute("COMMIT")
        var all: [Int64] = []
        var place: Int64? = 0
        var pages = 0
        while let after = place {
            let page = try journal.snapshots(after: after)
            all += page.list.map(\.taskIdentifier)
            place = page.next
            pages += 1
            try #require(pages < 10)
        }
        #expect(all == (1...Int64(max(count, 1))).filter { $0 <= count && !(count > 10 && $0 == 6) })
    }

    @Test("a page of the longest names fits into one frame, and the pages have them all")
    func longNames() throws {
        let journal = try Journal(path: path)
        for number in 0..<256 {
            var specification = TransferSpecification.sample(
                "work-\(number)", url: "http://h/" + String(repeating: "ü", count: 8000))
            specification.savePath = "/" + String(repeating: "\u{1}ü", count: 2000)
            _ = try journal.reserve(specification, at: now)
        }
        var seen = 0
        var place: Int64? = 0
        while let after = place {
            let page = try journal.snapshots(after: after)
            let frame = AgentFrame.reply(id: 1, reply: .transfers(list: page.list, next: page.next))
            #expect(throws: Never.self) { try FrameCodec.encode(frame) }
            seen += page.list.count
            place = page.next
            try #require(page.next == nil || !page.list.isEmpty)
        }
        #expect(seen == 256)
    }

    @Test("a list has every state, without the secrets of a URL")
    func snapshots() throws {
        let journal = try Journal(path: path)
        var upload = TransferSpecification.sample("up", url: "https://me:secret@h/a?token=secret")
        upload.job = .upload(
            UploadJob(
                method: "PUT", form: .body(),
                source: UploadSource(path: "/f", bytes: 1, modifiedNs: 2, inode: 3, device: 4)))
        upload.options.group = "photos"
        upload.options.priority = .high
        _ = try journal.reserve(upload, at: now)
        let reserved = try #require(try journal.snapshots(after: 0).list.first)
        #expect(reserved.url == "https://h/a?…")
        #expect(reserved.isUpload)
        #expect(reserved.group == "photos")
        #expect(reserved.priority == .high)
        #expect(reserved.state == .reserved)
        #expect(reserved.phase == .waiting(.host))
        _ = try journal.resume(upload.reference, at: now, boot: "b")
        #expect(try journal.snapshots(after: 0).list.first?.phase == .waiting(.slot))
        let failure = TransferFailure(kind: .status, message: "no", isRetryable: false)
        _ = try journal.finish(
            TransferOutcome(
                reference: upload.reference, sessionIdentifier: "session", taskIdentifier: 1, savePath: "/f",
                workerName: "W", result: .failed(failure)), keeping: nil)
        #expect(try journal.snapshots(after: 0).list.first?.phase == .failed(message: "no"))
        try journal.connection.execute("UPDATE transfers SET specification = 'nonsense', outcome = 'nonsense'")
        #expect(try journal.snapshots(after: 0).list.map(\.taskIdentifier) == [1], "it can be seen, and cancelled")
    }

    @Test("a specification that cannot be read is reported, and the others continue")
    func unreadable() throws {
        let journal = try journal()
        _ = try journal.reserve(.sample("other"), at: now)
        _ = try journal.resume(TransferSpecification.sample("other").reference, at: now, boot: "b")
        try journal.connection.execute("UPDATE transfers SET specification = '{}' WHERE task = 1")
        var reports: [String] = []
        #expect(try journal.activeTransfers { reports.append($0) }.map(\.task) == [2])
        #expect(reports.count == 1)
        #expect(reports.first?.contains("transfer 1") == true)
    }

    // MARK: The version before

    private static let earlierSpecification = """
        {"reference":{"store":"store","key":"work#1"},"sessionIdentifier":"session","url":"http://host/file",\
        "headers":{"X-A":"b","Authorization":"Bearer old"},"stallTimeoutMs":45000,"addressPolicy":"unrestricted",\
        "savePath":"/save/here","workerName":"Worker"}
        """

    @Test("a journal of the previous version is continued, with its transfers and unacknowledged outcomes")
    func migration() throws {
        do {
            let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
            try SchemaMigrator(title: "journal", steps: Array(JournalSchema.migrator.steps.prefix(2)))
                .migrate(connection)
            try connection.run(
                """
                INSERT INTO transfers(store, key, session, specification, state, total, validator, checkpoint, boot,
                    created_at)
                VALUES('store', 'work#1', 'session', ?, 'active', 100, '"v"', 64, 'b', 777)
                """, .text(Self.earlierSpecification))
            let outcome = """
                {"reference":{"store":"store","key":"done#2"},"sessionIdentifier":"session","taskIdentifier":2,\
                "savePath":"/save","workerName":"Worker","result":{"delivered":{"stagingPath":"/s","bytes":9,\
                "statusCode":200,"finalURL":"http://host/"}}}
                """
            try connection.run(
                """
                INSERT INTO transfers(store, key, session, specification, state, outcome, created_at)
                VALUES('store', 'done#2', 'session', ?, 'finished', ?, 1)
                """, .text(Self.earlierSpecification), .text(outcome))
        }
        let journal = try Journal(path: path)
        let record = try active(journal)
        #expect(record.entity == RecordedEntity(validator: "\"v\"", total: 100))
        #expect(record.checkpoint == 64)
        #expect(record.parts == nil)
        #expect(record.uploadURL == nil)
        #expect(!record.isPaused)
        #expect(record.failures == 0)
        #expect(record.nextAttempt == nil)
        #expect(record.mirror == 0)
        #expect(record.startedAt == WallTime(milliseconds: 777), "it has all the time from then on")
        let outcomes = try journal.outcomes { Issue.record("\($0)") }
            .map { try FastJSON.value(TransferOutcome.self, from: $0.json) }
        #expect(outcomes.map(\.details) == [nil])
        #expect(
            outcomes.first?.result == .delivered(stagingPath: "/s", bytes: 9, statusCode: 200, finalURL: "http://host/")
        )
        #expect(try journal.snapshots(after: 0).list.map(\.phase) == [.waiting(.slot), .succeeded])
        // The reservation of an earlier client is not a conflict for the same request in the new format.
        var same = TransferSpecification.sample(headers: ["X-A": "b", "Authorization": "Bearer old"])
        same.options.stallTimeout = .seconds(45)
        same.options.proxy = .direct
        #expect(record.specification == same)
    }

    @Test("a specification of now reads back as it was, with everything in it")
    func roundTrip() throws {
        var options = TransferOptions()
        options.headers = ["X": "ü"]
        options.isDiscretionary = true
        options.allowsCellularAccess = false
        options.stallTimeout = .milliseconds(1)
        options.resourceTimeout = .seconds(3)
        options.earliestBegin = WallTime(milliseconds: 12_345).date
        options.priority = .critical
        options.bytesPerSecond = 7
        options.group = "g"
        options.retry = .never
        options.proxy = .url("http://p:1")
        options.authentication = .digest(user: "u", password: "p")
        options.tokenRefresh = TokenRefresh(url: "http://t/", body: "b", tokenPath: "a.b")
        options.tls.pinnedPublicKeys = ["k"]
        var job = DownloadJob()
        job.mirrors = ["http://m/"]
        job.connections = .fixed(3)
        job.checksum = FileChecksum(.sha256, hex: String(repeating: "0", count: 64))
        job.savesIntoFolder = true
        var specification = TransferSpecification.sample()
        specification.options = options
        specification.job = .download(job)
        let journal = try Journal(path: path)
        _ = try journal.reserve(specification, at: now)
        _ = try journal.resume(specification.reference, at: now, boot: "b")
        #expect(try active(journal).specification == specification)
        #expect(try journal.reserve(specification, at: now) == .reserved(task: 1))
    }
}
