#if os(Linux)
import BackgroundWorkModel
import BackgroundWorkTransfers

/// Tells connections how far transfers are: those that have changed, at most ten times a second. Costs nothing while
/// nobody follows. Lives on the network loop's thread.
///
/// A transfer is spoken of from the second look at it on, so that of many short ones nothing is told: neither that they
/// are there nor that they have ended.
final class ProgressPublisher {
    private static let interval = Duration.milliseconds(100)
    /// With more transfers than this under way each is told less often, so that telling stays cheap.
    private static let perInterval = 100
    private static let perFrame = 1000

    private struct Told {
        var bytes: Int64
        var meter = RateMeter()
        var lastLook: SuspendingClock.Instant
        /// Whether it was there at an earlier look.
        var isKnown = false
        var isTold = false
    }

    weak var engine: TransferEngine?
    private let timers: LoopTimers
    private var followers: [ClientConnection] = []
    private var changed: Set<Int64> = []
    private var told: [Int64: Told] = [:]
    private var ends: [TransferProgress] = []

    init(timers: LoopTimers) { self.timers = timers }

    // MARK: Followers

    /// Tells everything that is there at once, and from then on what changes.
    func follow(_ connection: ClientConnection) {
        guard let engine, !followers.contains(where: { $0 === connection }) else { return }
        followers.append(connection)
        let all = engine.transfers.values.sorted { $0.task < $1.task }.map(progress)
        send(all, to: [connection])
        for transfer in engine.transfers.values {
            changed.insert(transfer.task)
            var told = told[transfer.task] ?? Told(bytes: transfer.work.bytes, lastLook: .now)
            told.isTold = true
            self.told[transfer.task] = told
        }
        schedule()
    }

    func leave(_ connection: ClientConnection) {
        followers.removeAll { $0 === connection }
        guard followers.isEmpty else { return }
        timers.cancel(.progress)
        changed = []
        told = [:]
        ends = []
    }

    // MARK: What happens

    func changed(_ task: Int64) {
        guard !followers.isEmpty else { return }
        changed.insert(task)
        schedule()
    }

    func concluded(_ transfer: Transfer, _ outcome: TransferOutcome) {
        // One that came and went between two looks was never spoken of.
        guard !followers.isEmpty, told[transfer.task]?.isTold == true else { return }
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
        told[task] = nil
        changed.remove(task)
    }

    /// What is known of the speed; `nil` unless somebody follows.
    func bytesPerSecond(of task: Int64) -> Int64? { told[task]?.meter.bytesPerSecond.map { Int64($0) } }

    // MARK: Telling

    private func schedule() {
        guard !timers.isSet(.progress), let engine else { return }
        let wait = Self.interval * max(1, engine.transfers.values.lazy.filter(\.isRunning).count / Self.perInterval)
        timers.set(.progress, at: .now + wait) { [weak self] in self?.tell() }
    }

    private func tell() {
        guard let engine, !followers.isEmpty else { return }
        let now = SuspendingClock.now
        let running = engine.transfers.values.filter(\.isRunning)
        for transfer in running { look(at: transfer, now: now) }
        let due = changed.sorted().compactMap { engine.transfers[$0] }.filter { isDue($0, now: now) }
        changed = changed.filter { engine.transfers[$0] != nil }.subtracting(due.map(\.task))
        send(due.map(progress) + ends, to: followers)
        ends = []
        if !running.isEmpty || !changed.isEmpty { schedule() }
    }

    /// Whether a transfer that has changed is to be spoken of at this look.
    private func isDue(_ transfer: Transfer, now: SuspendingClock.Instant) -> Bool {
        var known = told[transfer.task] ?? Told(bytes: transfer.work.bytes, lastLook: now)
        defer { told[transfer.task] = known }
        if known.isKnown { known.isTold = true }
        // The time in which it waits is no part of the speed with which it goes on.
        if !transfer.isRunning { known.meter = RateMeter() }
        known.isKnown = true
        return known.isTold
    }

    private func look(at transfer: Transfer, now: SuspendingClock.Instant) {
        let bytes = transfer.work.bytes
        var known = told[transfer.task] ?? Told(bytes: -1, lastLook: now)
        let rate = known.meter.bytesPerSecond
        known.meter.note(bytes: bytes, after: (now - known.lastLook) / .seconds(1))
        known.lastLook = now
        if bytes != known.bytes || rate != known.meter.bytesPerSecond { changed.insert(transfer.task) }
        known.bytes = bytes
        told[transfer.task] = known
    }

    private func progress(of transfer: Transfer) -> TransferProgress {
        TransferProgress(
            workID: transfer.specification.reference.key.workID,
            sessionIdentifier: transfer.specification.sessionIdentifier, taskIdentifier: transfer.task,
            group: transfer.options.group, isUpload: transfer.specification.job.isUpload,
            phase: engine?.phase(of: transfer) ?? .waiting(.place), bytes: transfer.work.bytes,
            totalBytes: transfer.work.totalBytes,
            bytesPerSecond: transfer.isRunning ? bytesPerSecond(of: transfer.task) : nil)
    }

    private func send(_ list: [TransferProgress], to connections: [ClientConnection]) {
        for start in stride(from: 0, to: list.count, by: Self.perFrame) {
            let frame = AgentFrame.progress(list: Array(list[start..<min(start + Self.perFrame, list.count)]))
            // One that does not read is told later; only the newest counts.
            for connection in connections where connection.backlog < ClientConnection.comfortableOutput {
                connection.send(frame)
            }
        }
    }
}
#endif
