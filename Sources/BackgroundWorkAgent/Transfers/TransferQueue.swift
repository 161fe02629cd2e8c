#if os(Linux)
import BackgroundWorkTransfers
import CBackgroundWorkCurl

/// The active transfers: those that wait for their turn, and those that libcurl works on.
final class TransferQueue {
    private static let largestPerHost = 6
    private static let largestOverall = 64

    private let paths: AgentPaths
    private let boot: String
    private let storage: StorageDesk
    private let timers: LoopTimers
    private var waiting: [TransferRecord] = []
    private var running: [UnsafeMutableRawPointer: Download] = [:]
    /// Transfers that were asked for as a whole after an answer that did not fit.
    private var askedForWhole: Set<Int64> = []
    /// Ended, with an outcome that is not recorded yet.
    private var recording: Set<Int64> = []
    private(set) var multi: CurlMulti?
    /// Told of each outcome once it is durable.
    var ended: (TransferOutcome) -> Void = { _ in }

    init(paths: AgentPaths, boot: String, storage: StorageDesk, timers: LoopTimers) {
        self.paths = paths
        self.boot = boot
        self.storage = storage
        self.timers = timers
    }

    var isEmpty: Bool { waiting.isEmpty && running.isEmpty && recording.isEmpty }

    /// How much has arrived of a transfer under way.
    func progress(of task: Int64) -> (received: Int64, total: Int64?)? {
        running.values.first { $0.record.task == task }.map { ($0.received, $0.total) }
    }

    /// Adds a transfer, which starts when there is room for it.
    func add(_ record: TransferRecord) {
        waiting.append(record)
        startWaiting()
    }

    /// Ends a transfer without an outcome.
    func cancel(task: Int64) {
        waiting.removeAll { $0.task == task }
        if let download = running.values.first(where: { $0.record.task == task }) { remove(download) }
        startWaiting()
    }

    /// Moves everything on as far as it goes, and takes the ends in.
    func perform() {
        guard let multi else { return }
        multi.perform()
        for download in running.values { download.storeReceived() }
        while let (easy, result) = multi.nextEnded() {
            guard let download = running[easy] else { continue }
            let ending = download.ending(result)
            remove(download)
            take(ending, of: download)
        }
        startWaiting()
        if running.isEmpty, waiting.isEmpty { self.multi = nil }
    }

    /// Stops everything; the files and the journal let the next agent go on.
    func stop() {
        for download in running.values { multi?.remove(download.easy) }
        running = [:]
        waiting = []
    }

    private func startWaiting() {
        var held: [TransferRecord] = []
        var perHost: [String: Int] = [:]
        for download in running.values { perHost[Self.host(of: download.record), default: 0] += 1 }
        for record in waiting {
            let host = Self.host(of: record)
            guard running.count < Self.largestOverall, perHost[host, default: 0] < Self.largestPerHost else {
                held.append(record)
                continue
            }
            if start(record) { perHost[host, default: 0] += 1 }
        }
        waiting = held
    }

    /// Whether it runs now; otherwise it has ended with a failure.
    private func start(_ record: TransferRecord) -> Bool {
        let url = record.specification.url
        do throws(TransferFailure) {
            if let complaint = RequestHeaders.complaint(about: record.specification) {
                throw FailureMessages(url: url).invalid(complaint)
            }
            let multi = try loadedMulti(url)
            let download = try Download(
                record, path: paths.stagingFile(task: record.task),
                resuming: !askedForWhole.contains(record.task), requests: requests)
            if download.isWholeAlready {
                take(
                    .delivered(
                        bytes: download.received, statusCode: 200, finalURL: RedactedURL(url).description),
                    of: download)
                return false
            }
            running[download.easy] = download
            multi.add(download.easy)
            AgentLog.write(
                "transfer \(record.task) (\(record.specification.reference)): GET \(RedactedURL(url))"
                    + (download.received > 0 ? " from byte \(download.received)" : ""))
            return true
        } catch {
            self.record(.failed(error), of: record, file: nil)
            return false
        }
    }

    private func loadedMulti(_ url: String) throws(TransferFailure) -> CurlMulti {
        if let multi { return multi }
        do throws(CurlMulti.Unavailable) {
            let made = try CurlMulti()
            multi = made
            return made
        } catch {
            throw FailureMessages(url: url).invalid(error.description)
        }
    }

    private var requests: Download.Requests {
        Download.Requests(
            record: { [weak self] download, entity in self?.recordEntity(entity, of: download) },
            checkpoint: { [weak self] download, bytes in self?.recordCheckpoint(bytes, of: download) })
    }

    private func recordEntity(_ entity: RecordedEntity, of download: Download) {
        let (task, boot) = (download.record.task, boot)
        storage.submit(write: { try $0.recordEntity(entity, task: task, boot: boot) }) { [weak self] result in
            // Cancelled meanwhile, or begun anew.
            guard self?.running[download.easy] === download else { return }
            switch result {
            case .success: download.acceptBody()
            case .failure(let error): download.refuseBody(error)
            }
        }
    }

    private func recordCheckpoint(_ bytes: Int64, of download: Download) {
        let (task, file) = (download.record.task, download.file)
        storage.submit(
            prepare: { try file.synchronize() }, write: { try $0.recordCheckpoint(bytes, task: task) }
        ) { result in
            if case .failure(let error) = result { AgentLog.write("transfer \(task): no checkpoint: \(error)") }
        }
    }

    private func remove(_ download: Download) {
        running[download.easy] = nil
        multi?.remove(download.easy)
    }

    private func take(_ ending: Download.Ending, of download: Download) {
        let record = download.record
        switch ending {
        case .askForWhole:
            guard askedForWhole.insert(record.task).inserted else {
                let message = "the server's answers to a request for a part and for the whole contradict each other."
                self.record(
                    .failed(FailureMessages(url: record.specification.url).invalid(message)), of: record, file: nil)
                return
            }
            waiting.append(record)
        case .failed(let failure): self.record(.failed(failure), of: record, file: nil)
        case .delivered(let bytes, let statusCode, let finalURL):
            self.record(
                .delivered(
                    stagingPath: download.file.path, bytes: bytes, statusCode: statusCode, finalURL: finalURL),
                of: record, file: download.file)
        }
    }

    /// Makes the file and then the outcome durable, and tells of it.
    private func record(_ result: TransferOutcome.Result, of record: TransferRecord, file: StagingFile?) {
        let specification = record.specification
        let outcome = TransferOutcome(
            reference: specification.reference, sessionIdentifier: specification.sessionIdentifier,
            taskIdentifier: record.task, savePath: specification.savePath, workerName: specification.workerName,
            result: result)
        let folder = StagingFolder(paths: paths)
        recording.insert(record.task)
        askedForWhole.remove(record.task)
        storage.submit(
            prepare: {
                guard let file else { return }
                do {
                    try file.synchronize()
                    try folder.synchronize()
                } catch {
                    throw Unsynchronized(cause: error)
                }
            },
            write: { try $0.finish(outcome) },
            cleanUp: { _ in if file == nil { folder.delete(task: record.task) } }
        ) { [weak self] recorded in
            guard let self else { return }
            switch recorded {
            case .success(let isCurrent):
                recording.remove(record.task)
                if isCurrent { ended(outcome) }
            case .failure(let error as Unsynchronized):
                let failure = FailureMessages(url: specification.url).disk(error.cause)
                self.record(.failed(failure), of: record, file: nil)
            case .failure(let error):
                AgentLog.write("transfer \(record.task): its outcome is not recorded yet, and tried again: \(error)")
                timers.set(.recordAgain(task: record.task), at: .now.advanced(by: .seconds(1))) { [weak self] in
                    self?.record(result, of: record, file: file)
                }
            }
        }
    }

    /// The staging file could not be brought to the disk.
    private struct Unsynchronized: Error { var cause: any Error }

    private static func host(of record: TransferRecord) -> String {
        let rest = record.specification.url.drop { $0 != ":" }.dropFirst(3)
        return rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }.lowercased()
    }
}
#endif
