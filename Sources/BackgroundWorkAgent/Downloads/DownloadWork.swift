import BackgroundWorkExchange
import BackgroundWorkFiles
import BackgroundWorkModel
import BackgroundWorkSystem
import BackgroundWorkTransfers
import CBackgroundWorkCurl

/// A download: its staging file, and the connections that fill it.
///
/// It starts with one connection for the rest of the file. When the server supports ranges and the plan asks for
/// several connections, a table of parts is created; the first connection then continues to the end of its part.
final class DownloadWork: TransferWork {
    /// A crash of the machine loses at most this many bytes of a resumable download.
    static let checkpointBytes: Int64 = 64 << 20

    let task: Int64
    let name: String
    let specification: TransferSpecification
    let job: DownloadJob
    let context: TransferContext
    var attemptEnded: (AttemptEnd) -> Void = { _ in }
    /// The version of the remote file that the staging file's bytes belong to, according to the journal.
    var entity: RecordedEntity?
    var file: StagingFile?
    var table: SegmentTable?
    var marks: MarkFile?
    var streams: [DownloadStream] = []
    let digest: DownloadDigest
    var growth: ConnectionGrowth
    /// The first failure of this attempt's connections, while others continue.
    var firstFailure: AttemptFailure?
    var hasAskedForWhole = false
    /// The server has answered a range request with the whole file, although it had announced ranges.
    var isWithoutRanges = false
    var wantsConnections = false
    private(set) var setting = AttemptSetting(address: "")
    /// How far the file is written while it has one part.
    var written: Int64
    private var unsynced: Int64 = 0
    /// Whether nothing was written to the staging file or its mark file since it was created.
    var isUntouched = false
    private var isCheckpointing = false
    private let limit: BandwidthLimit?

    init(_ record: TransferRecord, job: DownloadJob, context: TransferContext) {
        task = record.task
        specification = record.specification
        name = "transfer \(record.task) (\(record.specification.reference))"
        self.job = job
        self.context = context
        limit = specification.options.bytesPerSecond.map { BandwidthLimit(bytesPerSecond: $0, now: .now) }
        entity = record.entity
        written = record.checkpoint
        digest = DownloadDigest(job.checksum?.algorithm)
        growth = ConnectionGrowth(maximum: job.connections.maximum)
    }

    var url: TransferURL { setting.url }
    var totalBytes: Int64? { entity?.total }
    var bytes: Int64 { table?.received ?? written }

    private var stagingPath: String { context.paths.stagingFile(task: task) }
    private var marksPath: String { context.paths.marksFile(task: task) }

    // MARK: Attempts

    func begin(_ setting: AttemptSetting) throws(TransferFailure) {
        self.setting = setting
        firstFailure = nil
        hasAskedForWhole = false
        guard url.scheme == "http" || url.scheme == "https" else {
            throw .invalid("only http and https are supported", url)
        }
        let size = try openFile()
        if !job.isResumable, size > 0 { try discardReceived() }
        guard let table else { return try beginSingle(fileSize: size) }
        if table.isComplete {
            // An earlier agent had received everything and stopped before it could record that.
            return attemptEnded(
                .complete(status: 206, finalURL: setting.address, headers: ResponseHeaders(), body: nil))
        }
        var wanted = 1
        if case .fixed(let count) = job.connections { wanted = count }
        for _ in 0..<wanted { if let index = idleSegment() { try begin(segment: index) } }
    }

    private func beginSingle(fileSize: Int64) throws(TransferFailure) {
        let offset = job.isResumable ? ResumePolicy.offset(fileSize: fileSize, entity: entity) : 0
        try begin(offset: offset, fileSize: fileSize)
    }

    /// Starts the connection for the rest of the file.
    private func begin(offset: Int64, fileSize: Int64) throws(TransferFailure) {
        guard let file else { return }
        if offset == 0, fileSize > 0, table == nil { try discardReceived() }
        let exchange = try beginExchange(range: offset > 0 ? "bytes=\(offset)-" : nil)
        if offset > 0 { AgentLog.write("\(name): \(url.label) from byte \(offset)") }
        if offset == 0 { digest.restart() }
        written = offset
        let writer = writer(of: file, at: offset)
        streams.append(DownloadStream(exchange: exchange, offset: offset, part: nil, writer: writer, segment: nil))
    }

    /// Starts a connection for the missing bytes of a part.
    func begin(segment index: Int) throws(TransferFailure) {
        guard let file, let segment = table?.segments[index] else { return }
        let exchange = try beginExchange(range: "bytes=\(segment.mark)-\(segment.end - 1)")
        AgentLog.write("\(name): \(url.label) bytes \(segment.mark) to \(segment.end - 1)")
        let writer = writer(of: file, at: segment.mark)
        streams.append(
            DownloadStream(
                exchange: exchange, offset: segment.mark, part: segment.mark..<segment.end, writer: writer,
                segment: index))
    }

    /// Requests the whole file again. The existing bytes stay until its first byte has arrived.
    func beginWhole() throws(TransferFailure) {
        hasAskedForWhole = true
        guard let file else { return }
        let exchange = try beginExchange(range: nil)
        AgentLog.write("\(name): the server's partial response does not match; requesting the whole file")
        let writer = writer(of: file, at: 0)
        streams.append(DownloadStream(exchange: exchange, offset: 0, part: nil, writer: writer, segment: nil))
    }

    private func beginExchange(range: String?) throws(TransferFailure) -> Exchange {
        var own: [(name: String, value: String)] = []
        if let range, let validator = entity?.validator { own = [("Range", range), ("If-Range", validator)] }
        // A mirror may belong to another organization.
        let isOwn =
            setting.address == specification.url
            || RequestOrigin(setting.address) == RequestOrigin(specification.url)
        let options = isOwn ? specification.options : specification.options.withoutCredentials
        let lines = try RequestHeaders.lines(options, own: own, token: isOwn ? setting.token : nil, url: url)
        return try context.exchanges.begin(
            RequestPlan(
                url: setting.address, headerLines: lines, options: options,
                securityPolicy: specification.securityPolicy, bufferBytes: context.exchanges.bufferBytes,
                unpacksBody: true), for: self, limit: limit)
    }

    private func writer(of file: StagingFile, at position: Int64) -> StagingWriter {
        StagingWriter(file: file, position: position, isLarge: !context.exchanges.areMany) { [digest] in
            digest.add($0, at: $1)
        }
    }

    func idleSegment() -> Int? { table?.idle(busy: Set(streams.compactMap(\.segment))) }

    func suspend() {
        context.timers.cancel(.sample(task: task))
        for stream in streams {
            context.exchanges.stop(stream.exchange)
            do throws(SystemCallError) { try store(stream) } catch { AgentLog.write("\(name): \(error)") }
        }
        streams = []
        isCheckpointing = false
        checkpoint()
    }

    func startOver() throws(TransferFailure) {
        guard file != nil else { return }
        try discardReceived()
    }

    // MARK: The staging file

    private func openFile() throws(TransferFailure) -> Int64 {
        do throws(SystemCallError) {
            if let file { return try file.size() }
            let file = try StagingFile(path: stagingPath)
            // Identifiers are never assigned twice, so the first file of a transfer has no mark file. A staging file
            // that was deleted from outside has left its mark file.
            isUntouched = file.isNew && entity == nil
            if !isUntouched { try readMarks(beside: file) }
            let size = try file.size()
            // Only now: an attempt that could not read or renew the marks must not continue without them at the next
            // attempt.
            self.file = file
            return size
        } catch {
            throw .disk(error, url)
        }
    }

    private func readMarks(beside file: StagingFile) throws(SystemCallError) {
        let left = try MarkFile.read(marksPath)
        if let left, entity?.validator != nil, left.total == entity?.total, left.writtenEnd <= (try file.size()) {
            try record(left)
        } else if access(marksPath, F_OK) == 0 {
            // It is unknown which of its bytes are present, or they belong to a version that is no longer recorded in
            // the journal.
            try file.truncate(to: 0)
            MarkFile.remove(marksPath)
        }
    }

    /// Deletes first the bytes, then the marks: marks of a file that is too short are ignored, but a file with holes
    /// and without marks would look complete.
    func emptyFile() throws(SystemCallError) {
        table = nil
        marks = nil
        if !isUntouched {
            try file?.truncate(to: 0)
            MarkFile.remove(marksPath)
        }
        unsynced = 0
        written = 0
        digest.restart()
    }

    private func discardReceived() throws(TransferFailure) {
        do throws(SystemCallError) { try emptyFile() } catch { throw .disk(error, url) }
    }

    /// Uses these parts, after recording them: they must be recorded before any part but the first receives bytes.
    func record(_ parts: SegmentTable) throws(SystemCallError) {
        isUntouched = false
        marks = try MarkFile(path: marksPath, table: parts)
        table = parts
    }

    func forgetTable() {
        table = nil
        marks = nil
        MarkFile.remove(marksPath)
    }

    /// Writes what a connection has received so far, so that it is not lost when this process ends.
    func store(_ stream: DownloadStream) throws(SystemCallError) {
        try stream.writer.flush(keepingBuffer: !context.exchanges.areMany)
        let fresh = stream.writer.takeFresh()
        guard fresh > 0 else { return }
        if let segment = stream.segment, table != nil {
            table?.advance(segment, to: stream.writer.written)
            try marks?.note(stream.writer.written, of: segment)
        } else {
            written = stream.writer.written
        }
        unsynced += fresh
        if unsynced >= Self.checkpointBytes { checkpoint() }
    }

    /// Syncs what is written and records it as synced. Does not wait.
    private func checkpoint() {
        guard let file, entity?.validator != nil, !isCheckpointing, job.isResumable else { return }
        let (task, table) = (task, table)
        let bytes = bytes
        guard bytes > 0 else { return }
        isCheckpointing = true
        unsynced = 0
        context.staging.submit(
            syncing: FilesToSync(file: file, syncsFolder: false),
            write: { try $0.recordCheckpoint(bytes, parts: table, task: task) }
        ) { [weak self] result in
            self?.isCheckpointing = false
            guard case .failure(let error) = result else { return }
            // The transfer continues: a checkpoint only matters after a reboot, and the sync at the end covers
            // everything.
            AgentLog.write("transfer \(task): its checkpoint could not be recorded: \(error)")
        }
    }

    var check: ChecksumCheck? {
        guard let expected = job.checksum, let file else { return nil }
        if let found = digest.take(after: bytes) { return ChecksumCheck(expected: expected, found: .known(found)) }
        return ChecksumCheck(expected: expected, found: .read { try file.digest(expected.algorithm.digest) })
    }

    var filesToSync: FilesToSync { FilesToSync(file: file, syncsFolder: true, marksPath: marks?.path) }
}
