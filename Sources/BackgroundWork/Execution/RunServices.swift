import BackgroundWorkModel
import BackgroundWorkStorage
import Synchronization
import BackgroundWorkFoundation

/// What one run may ask of its scheduler.
final class RunServices: WorkerRunServices {
    private struct State {
        var checkpoint: String?
        var submissions = RunSubmissions()
        var hasReported = false
    }

    private let work: ClaimedWork
    let owner: Int64
    /// Of the loop that runs it.
    let loopNumber: Int
    private let stop = StopFlag()
    private let parts: Runner.Parts
    /// Where its begin is noted.
    let notes: RunNotes?
    private let state: Mutex<State>

    init(work: ClaimedWork, owner: Int64, parts: Runner.Parts, notes: RunNotes?, loopNumber: Int) {
        self.work = work
        self.owner = owner
        self.parts = parts
        self.notes = notes
        self.loopNumber = loopNumber
        state = Mutex(State(checkpoint: work.record.checkpoint))
    }

    private var workID: String { work.record.id }

    var stopReason: StopReason? { stop.reason }

    /// Notes why the run is to stop; its task is cancelled beside. The first reason stays.
    func askToStop(_ reason: StopReason) { stop.raise(reason) }

    /// Keeps the run from beginning, if it has not.
    func revoke() { stop.revoke() }

    /// Whether the worker may be called: nobody has asked for a stop, in this process or another.
    func begin() -> Bool {
        // What others have stopped is not known yet, so this goes back to where it is.
        if notes?.hasUnreadStops ?? false { stop.revoke() }
        return stop.begin()
    }

    /// What there is to say of a run that was not begun.
    var reasonNotToBegin: String? {
        stop.reason == .constraintLost ? "stopped, because a condition that it needs was lost" : nil
    }

    /// Whether it ever said how far it is.
    var hasReported: Bool { state.withLock { $0.hasReported } }

    var checkpoint: String? { state.withLock { $0.checkpoint } }

    /// What is to be enqueued with the run's success.
    var submissions: RunSubmissions { state.withLock { $0.submissions } }

    func saveCheckpoint(_ json: String?) async throws {
        if let json {
            let bytes = json.utf8.count
            guard bytes <= RequestRules.maximumInputBytes else {
                throw CheckpointError.tooLarge(
                    workID: workID, bytes: bytes, limit: RequestRules.maximumInputBytes)
            }
            if let reason = JSONSyntax.complaint(about: json) {
                throw CheckpointError.malformed(workID: workID, reason: reason)
            }
        }
        let (key, owner) = (work.record.runKey, owner)
        guard try await parts.store.write({ try $0.saveCheckpoint(json, of: key, owner: owner) }) else {
            throw CheckpointError.runIsOver(workID: workID)
        }
        state.withLock { $0.checkpoint = json }
    }

    func report(_ progress: WorkerProgress) {
        state.withLock { $0.hasReported = true }
        parts.progress.report(
            TaskProgressEvent(
                workID: workID, taskName: work.record.workerName, chainID: work.record.chainID, progress: progress),
            of: work.record.runKey)
    }

    func outputs(beforeStep step: Int) async throws -> [StepOutputs] {
        let record = work.record
        guard record.chainID != nil else { return [] }
        return try await parts.store.read { try $0.outputs(beforeStep: step, inChainOf: record) }
    }

    func outputs(ofStep step: Int) async throws -> StepOutputs? {
        let record = work.record
        return try await parts.store.read { try $0.outputs(ofStep: step, before: record) }
    }

    func enqueue(_ submission: TaskSubmission) throws(EnqueueError) -> String {
        try RequestRules.check(submission.request)
        try parts.triggers.check(submission.trigger, now: WallTime(parts.clock.now))
        let id = try checked(submission.id)
        state.withLock { $0.submissions.add(submission, id: id) }
        return id
    }

    func enqueue(chain: ChainSteps, id: String?, policy: ExistingWorkPolicy) throws(EnqueueError) -> String {
        try RequestRules.check(chain, id: id)
        let id = try checked(id)
        state.withLock { $0.submissions.add(chain, id: id, policy: policy) }
        return id
    }

    private func checked(_ id: String?) throws(EnqueueError) -> String {
        guard let id else { return WorkIdentifier.make(at: parts.clock.now) }
        try RequestRules.check(id: id)
        return id
    }
}

/// Whether a run has begun and why it is to stop, readable from the worker while it runs. What was asked to stop before
/// it has begun does not begin.
final class StopFlag: Sendable {
    private struct State {
        var hasBegun = false
        var reason: StopReason?
    }

    private let state = Mutex(State())

    var reason: StopReason? { state.withLock { $0.reason } }

    /// The first reason stays.
    func raise(_ reason: StopReason) { state.withLock { $0.reason = $0.reason ?? reason } }

    /// False when it must not begin any more.
    func begin() -> Bool {
        state.withLock { state in
            state.hasBegun = state.reason == nil
            return state.hasBegun
        }
    }

    /// Keeps it from beginning; what has begun goes on.
    func revoke() {
        state.withLock { state in
            if !state.hasBegun { state.reason = state.reason ?? .shutdown }
        }
    }
}
