import BackgroundWorkFiles
import BackgroundWorkModel

/// A work item as the store keeps it.
package struct WorkRecord: Sendable, Hashable {
    package var sequence: Int64
    package var id: String
    package var chainID: String?
    /// The number of the chain's own row.
    var chainSequence: Int64?
    package var stepIndex: Int
    package var position: Int
    package var workerName: String
    package var inputJSON: String?
    package var retryPolicy: RetryPolicy
    package var status: WorkStatus
    package var priority: WorkPriority
    package var due: WallTime
    package var owner: Int64?
    package var enqueuedAt: WallTime
    package var claimGroupNumber: Int64
    package var flags: WorkFlags
    package var occurrence: Int
    /// When the newest attempt was claimed.
    package var startedAt: WallTime?
    /// Whether the store has a row of values carried over from before.
    var isCarried: Bool
    private var details: Details?

    /// Values that most items do not have, kept separately: so most items are small, and quick to copy.
    struct Rare: Sendable, Hashable {
        var message: String?
        var outputJSON: String?
        var moveJSON: String?
        var handOffExpires: WallTime?
        var finishedAt: WallTime?
        var options = WorkOptions()
        var trigger: TaskTrigger?
        var planned: WallTime?
        var triggeredAt: WallTime?
        var checkpoint: String?
        var progress: WorkerProgress?
        var securityPolicy: SecurityPolicy?
    }

    /// Never changed, so copies of an item share it.
    private final class Details: Sendable, Hashable {
        let rare: Rare

        init(_ rare: Rare) { self.rare = rare }

        static func == (one: Details, other: Details) -> Bool { one.rare == other.rare }

        func hash(into hasher: inout Hasher) { hasher.combine(rare) }
    }

    /// - Parameter rare: `nil` if the item has none.
    init(
        sequence: Int64, id: String, chainID: String?, chainSequence: Int64?, stepIndex: Int, position: Int,
        workerName: String, inputJSON: String?, retryPolicy: RetryPolicy, status: WorkStatus, priority: WorkPriority,
        due: WallTime, owner: Int64?, enqueuedAt: WallTime, claimGroupNumber: Int64, flags: WorkFlags, occurrence: Int,
        startedAt: WallTime?, isCarried: Bool, rare: Rare?
    ) {
        self.sequence = sequence
        self.id = id
        self.chainID = chainID
        self.chainSequence = chainSequence
        self.stepIndex = stepIndex
        self.position = position
        self.workerName = workerName
        self.inputJSON = inputJSON
        self.retryPolicy = retryPolicy
        self.status = status
        self.priority = priority
        self.due = due
        self.owner = owner
        self.enqueuedAt = enqueuedAt
        self.claimGroupNumber = claimGroupNumber
        self.flags = flags
        self.occurrence = occurrence
        self.startedAt = startedAt
        self.isCarried = isCarried
        details = rare.flatMap { $0 == Rare() ? nil : Details($0) }
    }

    private var rare: Rare {
        get { details?.rare ?? Rare() }
        set { details = newValue == Rare() ? nil : Details(newValue) }
    }

    package var isIdempotent: Bool { !flags.contains(.runsOnce) }

    package var transferKey: TransferKey { TransferKey(workID: id, generation: status.generation) }

    package var runKey: RunKey { RunKey(sequence: sequence, generation: status.generation) }
}

extension WorkRecord {
    package var message: String? {
        get { details?.rare.message }
        set { rare.message = newValue }
    }

    package var outputJSON: String? {
        get { details?.rare.outputJSON }
        set { rare.outputJSON = newValue }
    }

    /// The file's destination and properties, from `finishing` on. Decoded at each access: most readers of an item do
    /// not need it.
    package var move: FileMove? { moveJSON.flatMap { try? FastJSON.value(FileMove.self, from: $0) } }

    /// The same in its stored form.
    var moveJSON: String? {
        get { details?.rare.moveJSON }
        set { rare.moveJSON = newValue }
    }

    /// When a hand-off's outcome must have arrived.
    package var handOffExpires: WallTime? {
        get { details?.rare.handOffExpires }
        set { rare.handOffExpires = newValue }
    }

    package var finishedAt: WallTime? {
        get { details?.rare.finishedAt }
        set { rare.finishedAt = newValue }
    }

    package var options: WorkOptions {
        get { details?.rare.options ?? WorkOptions() }
        set { rare.options = newValue }
    }

    /// `nil` for work that runs once, after a delay.
    package var trigger: TaskTrigger? {
        get { details?.rare.trigger }
        set { rare.trigger = newValue }
    }

    /// The planned time of the current occurrence.
    package var planned: WallTime? {
        get { details?.rare.planned }
        set { rare.planned = newValue }
    }

    /// When a trigger made it due while it ran: the next occurrence is due then.
    package var triggeredAt: WallTime? {
        get { details?.rare.triggeredAt }
        set { rare.triggeredAt = newValue }
    }

    package var checkpoint: String? {
        get { details?.rare.checkpoint }
        set { rare.checkpoint = newValue }
    }

    package var progress: WorkerProgress? {
        get { details?.rare.progress }
        set { rare.progress = newValue }
    }

    /// Under which it was accepted. A flag tells the usual ones.
    package var securityPolicy: SecurityPolicy {
        get {
            if flags.contains(.isUnrestricted) { return .unrestricted }
            // One that cannot be read must not become a wider one.
            return otherPolicy ?? (flags.contains(.hasOtherPolicy) ? .nothing : .publicInternet)
        }
        set {
            flags.remove([.isUnrestricted, .hasOtherPolicy])
            flags.formUnion(WorkFlags(newValue))
            rare.securityPolicy = newValue.name == nil ? newValue : nil
        }
    }

    /// The policy that no flag tells.
    var otherPolicy: SecurityPolicy? { details?.rare.securityPolicy }
}

/// Flags of a work item: those of its request, and those that were set later.
package struct WorkFlags: OptionSet, Sendable, Hashable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    // MARK: Of the request

    /// The next step may start once this is handed off.
    package static let releasesAtHandOff = WorkFlags(rawValue: 1)
    /// It must not be started again after its process died while it ran.
    package static let runsOnce = WorkFlags(rawValue: 16)
    /// The row is the name of a chain, and not an item. The view `items` contains the number.
    package static let isChain = WorkFlags(rawValue: 32)
    /// Its security policy is the unrestricted one. Without this flag and the next one it is that of the public internet.
    static let isUnrestricted = WorkFlags(rawValue: 128)
    /// Its security policy is in the row's options.
    static let hasOtherPolicy = WorkFlags(rawValue: 512)
    /// It has ended, and its input had secrets, which were removed: it cannot run again.
    package static let hasLostSecrets = WorkFlags(rawValue: 256)
    /// The flags that the row of the request holds.
    static let ofRequest: WorkFlags = [
        .releasesAtHandOff, .runsOnce, .isChain, .isUnrestricted, .hasOtherPolicy, .hasLostSecrets,
    ]

    init(_ policy: SecurityPolicy) {
        self = policy == .unrestricted ? .isUnrestricted : policy.name == nil ? .hasOtherPolicy : []
    }

    // MARK: Carried

    /// It was handed off, and the next step may have started: a failure no longer affects that step.
    package static let hasReleased = WorkFlags(rawValue: 2)
    /// Other work waits for the end of this id.
    package static let isFollowed = WorkFlags(rawValue: 4)
    /// Its transfer is held, or will be held from its hand-off on, in any generation.
    package static let holdsTransfer = WorkFlags(rawValue: 8)
    /// It had ended and waits again for the previous step. The view `items` contains the number.
    package static let waitsAgain = WorkFlags(rawValue: 64)
}

/// Names one run of an item: numbers, so that looking it up costs little.
package struct RunKey: Sendable, Hashable {
    package var sequence: Int64
    package var generation: Int64

    package init(sequence: Int64, generation: Int64) {
        self.sequence = sequence
        self.generation = generation
    }
}

/// Names one claim of an item: the same item may be claimed again by the same owner.
package struct RunStamp: Sendable, Hashable {
    package var sequence: Int64
    package var claimedAt: WallTime

    package init(sequence: Int64, claimedAt: WallTime) {
        self.sequence = sequence
        self.claimedAt = claimedAt
    }

    package init(_ record: WorkRecord) {
        self.init(sequence: record.sequence, claimedAt: record.startedAt ?? WallTime(milliseconds: 0))
    }
}
