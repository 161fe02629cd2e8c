import BackgroundWorkModel

/// A request to be stored. Created by the enqueueing caller, so that the writer has less to do; a class, so that
/// moving it costs one word.
package final class NewItem: Sendable {
    /// The position of a chain's member.
    struct Place: Sendable {
        var id: String
        var sequence: Int64
        var step: Int
        var position: Int
    }

    let request: TaskRequest
    package let id: String
    let trigger: TaskTrigger
    let occurrence: Occurrence
    let extras: WorkExtras
    /// The same in its stored form.
    let storedExtras: String?
    let claimGroup: ClaimGroup
    let state: WorkState
    /// The stamp of the file that it waits for, taken before.
    let fileStamp: String?
    let chain: Place?
    /// Decided by the scheduler that accepts it.
    let securityPolicy: SecurityPolicy
    /// The chain that gives this id to one of its members, by the form of the id.
    let namesMemberOf: String?

    init(
        _ request: TaskRequest, _ trigger: TaskTrigger = .oneTime(), id: String, _ occurrence: Occurrence,
        fileStamp: String? = nil, state: WorkState = .pending, chain: Place? = nil, securityPolicy: SecurityPolicy
    ) throws {
        self.request = request
        self.trigger = trigger
        self.id = id
        self.occurrence = occurrence
        self.fileStamp = fileStamp
        self.state = state
        self.chain = chain
        self.securityPolicy = securityPolicy
        namesMemberOf = chain == nil ? ChainSteps.chain(ofMember: id) : nil
        extras = WorkExtras(request, trigger: trigger, occurrence: occurrence, securityPolicy: securityPolicy)
        storedExtras = try extras.stored
        claimGroup = ClaimGroup(queue: request.queue, worker: request.workerClassName, constraints: request.constraints)
    }

    convenience init(
        _ request: TaskRequest, _ trigger: TaskTrigger, id: String, fileStamp: String? = nil, now: WallTime,
        _ triggers: TriggerRules, securityPolicy: SecurityPolicy
    ) throws {
        guard let first = triggers.first(of: trigger, delay: request.delay, now: now) else {
            // The check found a time; only a zone that has been removed since can cause this.
            throw EnqueueError.invalidDate
        }
        try self.init(request, trigger, id: id, first, fileStamp: fileStamp, securityPolicy: securityPolicy)
    }

    func isTooLate(at now: WallTime) -> Bool { request.deadline.map { WallTime($0) <= now } ?? false }
}

/// One request with all that its enqueueing needs, prepared outside of the writer's queue.
package struct PreparedEnqueue: Sendable {
    package let item: NewItem
    let policy: ExistingWorkPolicy
    let now: WallTime

    package init(_ item: NewItem, _ policy: ExistingWorkPolicy, now: WallTime) {
        self.item = item
        self.policy = policy
        self.now = now
    }

    /// Whether the only check before it is stored is whether its id exists.
    var isPlain: Bool { item.namesMemberOf == nil && !item.isTooLate(at: now) }
}
