import BackgroundWorkFoundation
import BackgroundWorkModel
import BackgroundWorkStorage
import Synchronization

/// The services that a scheduler offers to one run.
final class RunServices: WorkerRunServices {
    private struct State {
        var checkpoint: String?
        var submissions = RunSubmissions()
        var hasReported = false
    }

    private let work: ClaimedWork
    let owner: Int64
    /// The number of the loop that runs it.
    let loopNumber: Int
    private let stop = StopFlag()
    private let parts: Runner.Parts
    /// The file in which its start is recorded, and the cell there.
    let notes: RunNotes?
    let cell: Int?
    private let state: Mutex<State>

    init(work: ClaimedWork, owner: Int64, parts: Runner.Parts, notes: RunNotes?, cell: Int?, loopNumber: Int) {
        self.work = work
        self.owner = owner
        self.parts = parts
        self.notes = notes
        self.cell = cell
        self.loopNumber = loopNumber
        state = Mutex(State(checkpoint: work.record.checkpoint))
    }

    private var workID: String { work.record.id }

    var stopReason: StopReason? { stop.reason }

    /// Records why the run is to stop; the caller also cancels its task. The first reason is kept.
    func askToStop(_ reason: StopReason) { stop.raise(reason) }

    /// Prevents the run from starting, if it has not started.
    func revoke() { stop.revoke() }

    /// Whether the worker may be called: neither this process nor another one has asked for a stop.
    func begin() -> Bool {
        // Stops by other schedulers have not been read yet, so the item goes back to the queue.
        if notes?.hasUnreadStops ?? false { stop.revoke() }
        return stop.begin()
    }

    /// Called right before the worker of work that must not run twice: what a process leaves behind says from here on
    /// that its effects may exist. Throws ``WorkerNotCalled`` when the worker may no longer be called.
    func callWorker() throws {
        guard !ExitMarks.isExiting, stop.call() else { throw WorkerNotCalled() }
        if let cell { notes?.workerIsCalled(RunStamp(work.record), in: cell) }
    }

    /// Whether the worker of work that must not run twice was called. Once a stop was asked for, that does not change.
    var isWorkerCalled: Bool { stop.isWorkerCalled }

    /// The message for a run that was not started.
    var reasonNotToBegin: String? {
        stop.reason == .constraintLost ? "stopped, because a condition that it needs was lost" : nil
    }

    /// Whether the run ever reported progress.
    var hasReported: Bool { state.withLock { $0.hasReported } }

    var checkpoint: String? { state.withLock { $0.checkpoint } }

    /// The requests to enqueue if the run succeeds.
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
        try accept(parts.validation.refusal(of: submission.request, id: submission.id))
        let id = try checked(submission.id)
        state.withLock { $0.submissions.add(submission, id: id) }
        return id
    }

    func enqueue(chain: ChainSteps, id: String?, policy: ExistingWorkPolicy) throws(EnqueueError) -> String {
        try RequestRules.check(chain, id: id)
        try accept(parts.validation.refusal(of: chain, id: id))
        let id = try checked(id)
        state.withLock { $0.submissions.add(chain, id: id, policy: policy) }
        return id
    }

    private func accept(_ refusal: String?) throws(EnqueueError) {
        if let refusal { throw .inputRefused(reason: refusal) }
    }

    private func checked(_ id: String?) throws(EnqueueError) -> String {
        guard let id else { return WorkIdentifier.make(at: parts.clock.now) }
        try RequestRules.check(id: id)
        return id
    }
}

/// A run of work that must not run twice was stopped before its worker was called.
struct WorkerNotCalled: Error {}

/// Whether a run has started and why it is to stop, readable from the worker while it runs. A run that was asked to
/// stop before its start does not start.
final class StopFlag: Sendable {
    private struct State {
        var hasBegun = false
        var isWorkerCalled = false
        var reason: StopReason?
    }

    private let state = Mutex(State())

    var reason: StopReason? { state.withLock { $0.reason } }

    /// The first reason is kept.
    func raise(_ reason: StopReason) { state.withLock { $0.reason = $0.reason ?? reason } }

    /// False when it may no longer start.
    func begin() -> Bool {
        state.withLock { state in
            state.hasBegun = state.reason == nil
            return state.hasBegun
        }
    }

    /// False when the worker may no longer be called.
    func call() -> Bool {
        state.withLock { state in
            state.isWorkerCalled = state.reason == nil
            return state.isWorkerCalled
        }
    }

    var isWorkerCalled: Bool { state.withLock { $0.isWorkerCalled } }

    /// Prevents a start; a run that has started continues.
    func revoke() {
        state.withLock { state in
            if !state.hasBegun { state.reason = state.reason ?? .shutdown }
        }
    }
}
