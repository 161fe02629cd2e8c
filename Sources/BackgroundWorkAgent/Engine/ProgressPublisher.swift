import BackgroundWorkModel
import BackgroundWorkTransfers

/// Reports the progress of changed transfers to connections, at most ten times a second. Costs nothing without
/// subscribers. Lives on the network loop's thread.
///
/// A transfer is reported from its second check on, so that many short ones are not reported at all: neither their
/// start nor their end.
final class ProgressPublisher {
    private static let interval = Duration.milliseconds(100)
    /// With more active transfers than this, each is reported less often, so that reporting stays cheap.
    private static let perInterval = 100
    private static let perFrame = 1000

    private struct Reported {
        var bytes: Int64
        var meter = RateMeter()
        var lastMeasured: SuspendingClock.Instant
        /// Whether it was present at an earlier check.
        var isKnown = false
        var isReported = false
    }

    weak var engine: TransferEngine?
    private let timers: LoopTimers
    private var followers: [ClientConnection] = []
    private var changed: Set<Int64> = []
    private var reported: [Int64: Reported] = [:]
    private var ends: [TransferProgress] = []

    init(timers: LoopTimers) { self.timers = timers }

    // MARK: Subscribers

    /// Reports all transfers at once, and from then on those that change.
    func follow(_ connection: ClientConnection) {
        guard let engine, !followers.contains(where: { $0 === connection }) else { return }
        followers.append(connection)
        let all = engine.transfers.values.sorted { $0.task < $1.task }.map(progress)
        send(all, to: [connection])
        for transfer in engine.transfers.values {
            changed.insert(transfer.task)
            var reported = reported[transfer.task] ?? Reported(bytes: transfer.work.bytes, lastMeasured: .now)
            reported.isReported = true
            self.reported[transfer.task] = reported
        }
        schedule()
    }

    func leave(_ connection: ClientConnection) {
        followers.removeAll { $0 === connection }
        guard followers.isEmpty else { return }
        timers.cancel(.progress)
        changed = []
        reported = [:]
        ends = []
    }

    // MARK: Events

    func changed(_ task: Int64) {
        guard !followers.isEmpty else { return }
        changed.insert(task)
        schedule()
    }

    func concluded(_ transfer: Transfer, _ outcome: TransferOutcome) {
        // A transfer that started and ended between two checks was never reported.
        guard !followers.isEmpty, reported[transfer.task]?.isReported == true else { return }
        var end = progress(of: transfer)
        end.bytesPerSecond = nil
        if case .failed(let failure) = outcome.result {
            end.phase = .failed(message: failure.message)
        } else {
            end.phase = .succeeded
            end.totalBytes = end.totalBytes ?? end.bytes
        }
        ends.append(end)
        schedule()
    }

    func ended(_ task: Int64) {
        reported[task] = nil
        changed.remove(task)
    }

    /// The measured speed; `nil` without subscribers.
    func bytesPerSecond(of task: Int64) -> Int64? { reported[task]?.meter.bytesPerSecond.map { Int64($0) } }

    // MARK: Reports

    private func schedule() {
        guard !timers.isSet(.progress), let engine else { return }
        let wait = Self.interval * max(1, engine.transfers.values.lazy.filter(\.isRunning).count / Self.perInterval)
        timers.set(.progress, at: .now + wait) { [weak self] in self?.report() }
    }

    private func report() {
        guard let engine, !followers.isEmpty else { return }
        let now = SuspendingClock.now
        let running = engine.transfers.values.filter(\.isRunning)
        for transfer in running { measure(transfer, now: now) }
        let due = changed.sorted().compactMap { engine.transfers[$0] }.filter { isDue($0, now: now) }
        changed = changed.filter { engine.transfers[$0] != nil }.subtracting(due.map(\.task))
        send(due.map(progress) + ends, to: followers)
        ends = []
        if !running.isEmpty || !changed.isEmpty { schedule() }
    }

    /// Whether a changed transfer is to be reported at this check.
    private func isDue(_ transfer: Transfer, now: SuspendingClock.Instant) -> Bool {
        var known = reported[transfer.task] ?? Reported(bytes: transfer.work.bytes, lastMeasured: now)
        defer { reported[transfer.task] = known }
        if known.isKnown { known.isReported = true }
        // Waiting time does not count for the speed after it.
        if !transfer.isRunning { known.meter = RateMeter() }
        known.isKnown = true
        return known.isReported
    }

    private func measure(_ transfer: Transfer, now: SuspendingClock.Instant) {
        let bytes = transfer.work.bytes
        var known = reported[transfer.task] ?? Reported(bytes: -1, lastMeasured: now)
        let rate = known.meter.bytesPerSecond
        known.meter.note(bytes: bytes, after: (now - known.lastMeasured) / .seconds(1))
        known.lastMeasured = now
        if bytes != known.bytes || rate != known.meter.bytesPerSecond { changed.insert(transfer.task) }
        known.bytes = bytes
        reported[transfer.task] = known
    }

    private func progress(of transfer: Transfer) -> TransferProgress {
        TransferProgress(
            workID: transfer.specification.reference.key.workID,
            sessionIdentifier: transfer.specification.sessionIdentifier, taskIdentifier: transfer.task,
            group: transfer.options.group, isUpload: transfer.specification.job.isUpload,
            phase: engine?.phase(of: transfer) ?? .waiting(.slot), bytes: transfer.work.bytes,
            totalBytes: transfer.work.totalBytes,
            bytesPerSecond: transfer.isRunning ? bytesPerSecond(of: transfer.task) : nil)
    }

    private func send(_ list: [TransferProgress], to connections: [ClientConnection]) {
        for start in stride(from: 0, to: list.count, by: Self.perFrame) {
            let frame = AgentFrame.progress(list: Array(list[start..<min(start + Self.perFrame, list.count)]))
            // A client that does not read gets a report later; only the newest one counts.
            for connection in connections where connection.backlog < ClientConnection.comfortableOutput {
                connection.send(frame)
            }
        }
    }
}
