import BackgroundWorkModel
import BackgroundWorkStorage
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What one run may ask of its scheduler.
final class RunServices: WorkerRunServices {
    private struct State {
        var checkpoint: String?
        var submissions = RunSubmissions()
    }

    private let key: TransferKey
    private let owner: Int64?
    private let stop: StopFlag
    private let store: WorkStore
    private let tellProgress: @Sendable (WorkerProgress) -> Void
    private let triggers: TriggerCheck
    private let clock: any WorkClock
    private let state: Mutex<State>

    init(
        work: ClaimedWork, stop: StopFlag, store: WorkStore, triggers: TriggerCheck, clock: any WorkClock,
        tellProgress: @escaping @Sendable (WorkerProgress) -> Void
    ) {
        key = work.record.transferKey
        owner = work.record.owner
        self.stop = stop
        self.store = store
        self.triggers = triggers
        self.clock = clock
        self.tellProgress = tellProgress
        state = Mutex(State(checkpoint: work.record.checkpoint))
    }

    var stopReason: StopReason? { stop.reason }

    var checkpoint: String? { state.withLock { $0.checkpoint } }

    /// What is to be enqueued with the run's success.
    var submissions: RunSubmissions { state.withLock { $0.submissions } }

    func saveCheckpoint(_ json: String?) async throws {
        if let json {
            let bytes = json.utf8.count
            guard bytes <= RequestRules.maximumInputBytes else {
                throw CheckpointError.tooLarge(
                    workID: key.workID, bytes: bytes, limit: RequestRules.maximumInputBytes)
            }
            if let reason = JSONSyntax.complaint(about: json) {
                throw CheckpointError.malformed(workID: key.workID, reason: reason)
            }
        }
        let (key, owner) = (key, owner)
        guard try await store.write({ try $0.saveCheckpoint(json, of: key, owner: owner) }) else {
            throw CheckpointError.runIsOver(workID: key.workID)
        }
        state.withLock { $0.checkpoint = json }
    }

    func report(_ progress: WorkerProgress) { tellProgress(progress) }

    func enqueue(_ submission: TaskSubmission) throws(EnqueueError) -> String {
        try RequestRules.check(submission.request)
        try triggers.check(submission.trigger, now: WallTime(clock.now))
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
        guard let id else { return UUID().uuidString.lowercased() }
        try RequestRules.check(id: id)
        return id
    }
}
