import BackgroundWorkModel
import BackgroundWorkTransfers

/// The list that a tracker shows, built from reports and events in whatever order they come. Pure.
struct TransferList: Sendable {
    /// How an item's work has ended.
    struct End: Sendable {
        var workID: String
        var outcome: WorkOutcome
        var message: String?
        var outputJSON: String?
    }

    /// How many ended transfers are kept.
    var endedLimit: Int
    /// Only transfers with this label, if there is one.
    var group: String?
    private var items: [String: TrackedTransfer] = [:]
    private var nextPosition = 0
    /// Ended transfers, the oldest first.
    private var ended: [String] = []

    init(endedLimit: Int, group: String?) {
        self.endedLimit = endedLimit
        self.group = group
    }

    /// In the order in which they were first reported.
    var transfers: [TrackedTransfer] { items.values.sorted { $0.position < $1.position } }

    /// The transfers that have not ended.
    var unfinished: [String] { items.values.filter { $0.outcome == nil }.map(\.id) }

    /// The transfers that have not ended and have no path yet, by session and number.
    var withoutPath: [(id: String, session: String, task: Int64)] {
        items.values.compactMap { item in
            guard item.path == nil, let session = item.session, let task = item.taskIdentifier else { return nil }
            return (item.id, session, task)
        }
    }

    /// Returns whether the report changed anything.
    mutating func note(_ report: TransferProgress) -> Bool {
        if let group, report.group != group { return false }
        let id = report.workID
        if let known = items[id], known.session == report.sessionIdentifier, let task = known.taskIdentifier {
            // A report of an earlier attempt, or the last report of one whose outcome is already known.
            if report.taskIdentifier < task || (report.taskIdentifier == task && known.outcome != nil) { return false }
        }
        var item = items[id] ?? TrackedTransfer(id: id, position: takePosition())
        let before = item
        if item.outcome != nil {
            item.outcome = nil
            ended.removeAll { $0 == id }
        }
        item.taskIdentifier = report.taskIdentifier
        item.session = report.sessionIdentifier
        item.group = report.group
        item.isUpload = report.isUpload
        // It has not succeeded before the file is at its path.
        item.phase = report.phase == .succeeded ? .finishing : report.phase
        item.bytes = report.bytes
        item.totalBytes = report.totalBytes
        item.bytesPerSecond = report.bytesPerSecond
        items[id] = item
        return item != before
    }

    /// Adds an item for work that had no report before its end, if `adds`.
    mutating func note(_ end: End, adds: Bool) -> Bool {
        guard items[end.workID] != nil || (adds && group == nil) else { return false }
        var item = items[end.workID] ?? TrackedTransfer(id: end.workID, position: takePosition())
        guard item.outcome == nil else { return false }
        item.outcome = end.outcome
        item.bytesPerSecond = nil
        if end.outcome == .succeeded {
            item.phase = .succeeded
            let output = end.outputJSON.flatMap { try? JSONCoding.value(Output.self, from: $0) }
            item.path = output?.savePath ?? output?.filePath ?? item.path
            item.isUpload = output.map { $0.filePath != nil } ?? item.isUpload
            item.bytes = output?.bytes ?? item.bytes
            item.totalBytes = output?.bytes ?? item.totalBytes
        } else {
            item.phase = .failed(message: end.message ?? end.outcome.rawValue)
        }
        items[end.workID] = item
        ended.append(end.workID)
        while ended.count > endedLimit { items[ended.removeFirst()] = nil }
        return true
    }

    mutating func setPath(_ path: String, of id: String) -> Bool {
        guard items[id]?.path == nil, items[id] != nil else { return false }
        items[id]?.path = path
        return true
    }

    mutating func removeEnded() {
        for id in ended { items[id] = nil }
        ended = []
    }

    private mutating func takePosition() -> Int {
        defer { nextPosition += 1 }
        return nextPosition
    }

    /// The fields that the outputs of downloads and uploads have.
    private struct Output: Decodable {
        var savePath: String?
        var filePath: String?
        var bytes: Int64?
    }
}
