import BackgroundWorkExchange
import BackgroundWorkModel
import BackgroundWorkSystem
import BackgroundWorkTransfers
import TestSupport
import Testing

@testable import BackgroundWorkAgent

@Suite("A download and its staging file")
struct DownloadWorkTests {
    private let folder: TemporaryFolder
    private let context: TransferContext

    init() throws {
        folder = try TemporaryFolder()
        let paths = AgentPaths(schedulerDirectory: folder.path)
        mkdir(paths.directory, 0o700)
        try StagingFolder(paths: paths).create()
        context = TransferContext(
            staging: StagingClient(queue: StorageQueue(paths: paths, boot: "boot"), wake: try WakeDescriptor()),
            exchanges: ExchangePool(), timers: LoopTimers(), paths: paths, boot: "boot")
    }

    @Test("marks of a deleted file do not apply to the next one")
    func marksAlone() throws {
        let marks = context.paths.marksFile(task: 7)
        var table = SegmentTable(total: 64 << 20, received: 5)
        table.split(into: 4)
        _ = try MarkFile(path: marks, table: table)
        let record = TransferRecord(
            task: 7, specification: .sample(), entity: RecordedEntity(validator: "\"v\"", total: table.total),
            checkpoint: 0, startedAt: WallTime(milliseconds: 0))
        let work = DownloadWork(record, job: DownloadJob(), context: context)
        try work.begin(AttemptSetting(address: "http://127.0.0.1:9/file"))
        #expect(work.table == nil)
        #expect(work.bytes == 0)
        #expect(access(marks, F_OK) != 0)
        #expect(access(context.paths.stagingFile(task: 7), F_OK) == 0)
    }
}
