import BackgroundWorkFiles
import BackgroundWorkModel
import BackgroundWorkStorage
import BackgroundWorkTesting
import Foundation
import Synchronization
import TestSupport

@testable import BackgroundWork

/// One scheduler's store and runner, without what makes them act by themselves: a test says when the news of the others
/// is read, and when a worker returns.
final class InterleavedOwner: Sendable {
    enum Happening: Sendable {
        case claimed([String], by: Int)
        case begun(String, by: Int)
        case ended(String)
    }

    /// A runner and what it runs, until the owner goes.
    struct Life: Sendable {
        var runner: Runner
        var runs: GatedRuns
        var owner: WorkSnapshot.Owner
        var notes: RunNotes
    }

    private struct State {
        var life: Life?
        var isRung = false
    }

    let store: WorkStore
    private let number: Int
    private let folder: String
    private let clock = ManualClock()
    private let state: Mutex<State>
    private let log: Recorder<Happening>
    private let ring: @Sendable (String) -> Void

    /// - Parameter ring: takes the lock file's name of an owner that must be notified of a commit.
    init(
        _ number: Int, folder: String, log: Recorder<Happening>, ring: @escaping @Sendable (String) -> Void
    ) throws {
        let relay = CommitRelay()
        store = try WorkStore(
            path: folder + "/work.sqlite",
            settings: StoreSettings(
                retainedEvents: 64, triggers: TriggerRules(zones: SystemTimeZones()), mayLeaveTransfers: { _ in false }),
            now: clock.now, committed: relay.pass)
        self.number = number
        self.folder = folder
        self.log = log
        self.ring = ring
        state = Mutex(State())
        relay.connect { [weak self] in self?.committed($0) }
    }

    var now: WallTime { WallTime(clock.now) }
    var life: Life? { state.withLock { $0.life } }
    /// Whether others have news for it that it has not read.
    var isRung: Bool { state.withLock { $0.isRung } }

    func rung(_ lockFile: String) { state.withLock { $0.isRung = $0.isRung || $0.life?.owner.lockFile == lockFile } }

    /// As a scheduler does it: the runner first, and the marks of the others before whoever waits has the answer.
    private func committed(_ summary: CommitSummary) {
        for event in summary.events { log.add(.ended(event.workID)) }
        if !summary.claimed.isEmpty { log.add(.claimed(summary.claimed.map(\.record.id), by: number)) }
        life?.runner.committed(summary)
        for other in summary.others {
            if summary.hasStopsForOthers || !summary.pausedQueues.isEmpty {
                RunNotes.markStop(path: "\(folder)/\(other)")
            }
            ring(other)
        }
    }

    // MARK: Living and dying

    func start(slots: Int, limit: Int?, queue: String, claimsAhead: Bool) async throws {
        let name = UUID().uuidString + ".lock"
        let path = "\(folder)/\(name)"
        guard FileManager.default.createFile(atPath: path, contents: nil), let notes = RunNotes(path: path) else {
            throw CocoaError(.fileWriteUnknown)
        }
        store.setOwnLockFile(name)
        let owner = try await store.write { transaction in
            let id = try transaction.addOwner(lockFile: name, processIdentifier: 1, boot: "")
            return try transaction.owners().first { $0.id == id }
        }
        guard let owner else { throw CocoaError(.coderValueNotFound) }
        let runs = GatedRuns()
        let runner = try makeRunner(slots: slots, limit: limit, queue: queue, runs)
        runner.state.withLock { state in
            if claimsAhead { state.pace.ran(for: .microseconds(1)) } else { state.pace.stalled() }
            // Nothing is given back because a test takes its time.
            state.isWatchingStall = true
        }
        state.withLock {
            $0 = State(life: Life(runner: runner, runs: runs, owner: owner, notes: notes))
        }
        runner.start(owner: owner.id, notes: notes)
    }

    private func makeRunner(slots: Int, limit: Int?, queue: String, _ runs: GatedRuns) throws -> Runner {
        let (log, number, clock, store) = (log, number, clock, store)
        var workers = WorkerRegistry()
        try workers.register("W") { _, context in
            log.add(.begun(context.workID, by: number))
            try await runs.wait(context.workID)
            return .success()
        }
        let limits = limit.map { [queue: QueueLimits(maximumConcurrent: $0)] } ?? [:]
        return Runner(
            Runner.Parts(
                store: store,
                execution: WorkExecution(
                    workers: workers, services: WorkerServices(handOff: { _ in throw UnsupportedTransfersError() })),
                slots: slots, limits: WorkLimits(queues: limits),
                triggers: TriggerCheck(zones: SystemTimeZones(), minimumInterval: .seconds(900)),
                validation: InputValidation(workers: workers, securityPolicy: .publicInternet), clock: clock,
                random: { 0.5 }, device: ConstraintSwitchboard(),
                progress: WorkProgressPublisher(store: store, clock: clock, publish: { _ in }), telemetry: nil,
                notices: NoticeLog(clock: clock, handler: nil)))
    }

    func readNews() async throws {
        guard let life else { return }
        let mark = life.notes.stopMark
        state.withLock { $0.isRung = false }
        try await store.write { try $0.readChangesOfOthers() }
        life.notes.stopsAreRead(upTo: mark)
        life.runner.beginWaiting()
    }

    /// The first half of a shutdown.
    func stop() async {
        guard let life else { return }
        await withCheckedContinuation { continuation in life.runner.stop { continuation.resume() } }
    }

    /// The second half of a shutdown.
    func release() async throws {
        guard let life else { return }
        let (begun, now) = (life.runner.abandon(), now)
        try await store.write { try $0.release(owner: life.owner.id, begun: begun, now: now) }
    }

    /// Its runs continue without effect, as if it had died; its notes and its row remain.
    func die() {
        guard let life else { return }
        _ = life.runner.abandon()
        life.runner.stop {}
        life.runs.openAll()
    }

    func reclaim(from dead: InterleavedOwner) async throws {
        guard let life = dead.life else { return }
        let end = RunNotes.read(path: "\(folder)/\(life.owner.lockFile)")
        let now = now
        _ = try await store.write { try $0.reclaim(from: life.owner, after: end, now: now) }
    }

    // MARK: Rest

    /// Whether the runner is idle, and all its runs wait at their gate.
    var isAtRest: Bool {
        guard let life else { return true }
        let waiting = life.runs.waiting
        return life.runner.state.withLock { state in
            life.runner.unsettled.load(ordering: .sequentiallyConsistent) == 0 && !state.isClaiming
                && !state.device.isReading && state.loops.count == state.loops.runs.count
                && Set(state.loops.runs.map(\.work.record.id)) == waiting
        }
    }

    /// What the runner has, and whether that has started.
    var hand: [String: Bool] {
        guard let life else { return [:] }
        return life.runner.state.withLock { state in
            var hand: [String: Bool] = [:]
            for run in state.loops.runs { hand[run.work.record.id] = true }
            var queue = state.queue
            while let work = queue.popFirst() { hand[work.record.id] = false }
            return hand
        }
    }

    func end() {
        guard let life else { return }
        die()
        try? FileManager.default.removeItem(atPath: "\(folder)/\(life.owner.lockFile)")
        state.withLock { $0.life = nil }
    }
}
