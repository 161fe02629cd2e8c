import BackgroundWorkFiles
import BackgroundWorkModel

@testable import BackgroundWorkStorage

/// One scheduler's access to the store. It claims only when a test calls for it.
final class StoreScheduler: Sendable {
    let store: WorkStore
    let owner: Int64
    let lockFile: String
    private let feed = StoreFeed()
    /// What has to live as long as the store is used.
    private let kept: StoreUnderTest?

    /// Opens the store and puts itself on the list of owners.
    init(
        path: String, settings: StoreSettings, lockFile: String = "scheduler", keeping kept: StoreUnderTest? = nil
    ) async throws {
        let feed = feed
        store = try WorkStore(
            path: path, settings: settings, now: WallTime.start.date, committed: { feed.note($0) })
        self.lockFile = lockFile
        self.kept = kept
        store.setOwnLockFile(lockFile)
        store.connect(feed)
        owner = try await store.write { try $0.addOwner(lockFile: lockFile, processIdentifier: 1, boot: "boot") }
    }

    /// What the newest commit did.
    var newest: CommitSummary { feed.newest }

    @discardableResult
    func write<Value: Sendable>(_ body: @escaping @Sendable (WorkTransaction) throws -> Value) async throws -> Value {
        try await store.write(body)
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (WorkSnapshot) throws -> Value) async throws -> Value {
        try await store.read(body)
    }

    // MARK: Enqueueing

    @discardableResult
    func enqueue(
        _ id: String, _ request: TaskRequest = .plain, trigger: TaskTrigger = .oneTime(),
        policy: ExistingWorkPolicy = .replace, at now: WallTime = .start
    ) async throws -> WorkTransaction.EnqueueAnswer {
        try await store.enqueue(try store.item(request, trigger, id: id, now: now), policy, now: now)
    }

    @discardableResult
    func enqueue(
        chain id: String, _ steps: [[TaskRequest]], links: [[Int]]? = nil, policy: ExistingWorkPolicy = .replace,
        at now: WallTime = .start
    ) async throws -> WorkTransaction.EnqueueAnswer {
        try await write { try $0.enqueue(ChainSteps(steps, links: links), id: id, policy: policy, now: now) }
    }

    // MARK: Running

    /// Rules under which this scheduler takes what is due at an instant.
    func rules(limit: Int = 100, at now: WallTime = .start, _ change: (inout ClaimRules) -> Void = { _ in })
        -> ClaimRules
    {
        var rules = ClaimRules(limit: limit, owner: owner, now: now)
        change(&rules)
        return rules
    }

    /// Makes one claim pass, and returns what its commit did.
    @discardableResult
    func look(_ rules: ClaimRules) async throws -> CommitSummary {
        try await claiming(rules) {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                self.store.requestClaim { error in
                    if let error { continuation.resume(throwing: error) } else { continuation.resume() }
                }
            }
        }
        return newest
    }

    /// Lets all transactions meanwhile claim under these rules.
    func claiming(_ rules: ClaimRules, _ body: @Sendable () async throws -> Void) async throws {
        feed.offer(rules)
        defer { feed.offer(nil) }
        try await body()
    }

    func claim(limit: Int = 100, at now: WallTime = .start) async throws -> [ClaimedWork] {
        try await look(rules(limit: limit, at: now)).claimed
    }

    /// Claims what is due, which has to be one item.
    func claimOne(at now: WallTime = .start) async throws -> ClaimedWork {
        let claimed = try await claim(at: now)
        guard claimed.count == 1, let work = claimed.first else {
            throw UnexpectedClaim(ids: claimed.map(\.record.id))
        }
        return work
    }

    struct UnexpectedClaim: Error {
        var ids: [String]
    }

    /// Stores how runs have ended, all in one transaction.
    func end(
        _ works: [ClaimedWork], _ ending: RunEnding, submitting submissions: RunSubmissions = RunSubmissions(),
        at now: WallTime = .start
    ) async throws {
        if works.isEmpty { return }
        let (store, owner) = (store, owner)
        let results = works.map {
            RunResult(
                work: $0, owner: owner, ending: ending, submissions: submissions, duration: .milliseconds(7), now: now,
                random: { 0.5 })
        }
        let ends = feed.ends()
        // What is submitted while a transaction runs goes into the next one together.
        try await store.write { _ in for result in results { store.endRun(result) } }
        var left = results.count
        for await error in ends {
            if let error { throw error }
            left -= 1
            if left == 0 { break }
        }
    }

    func end(
        _ work: ClaimedWork, _ ending: RunEnding, submitting submissions: RunSubmissions = RunSubmissions(),
        at now: WallTime = .start
    ) async throws {
        try await end([work], ending, submitting: submissions, at: now)
    }

    @discardableResult
    func apply(
        _ change: WorkChange, to key: TransferKey, _ details: WorkTransaction.Details = .init(),
        at now: WallTime = .start
    ) async throws -> WorkTransition {
        let owner = change == .fileArrived ? owner : nil
        return try await write { try $0.apply(change, to: key, details, owner: owner, now: now) }
    }

    // MARK: Stations

    /// Brings new work to a state, and returns its id.
    func item(in state: WorkState, _ request: TaskRequest = .plain) async throws -> String {
        let id = "item"
        if state == .blocked {
            try await enqueue(chain: "chain", [[request], [request]])
            return "chain/1.0"
        }
        try await enqueue(id, request)
        switch state {
        case .blocked, .pending: break
        case .running: _ = try await claimOne()
        case .handedOff, .finishing:
            let work = try await claimOne()
            try await end(work, .handedOff(message: "handed off", expiresAfter: nil))
            if state == .finishing {
                try await apply(.fileArrived, to: work.record.transferKey, .init(move: .sample))
            }
        case .succeeded: try await end(try await claimOne(), .success)
        case .failed: try await end(try await claimOne(), .failed("as asked"))
        case .cancelled: try await write { _ = try $0.cancel(id: id, now: .start) }
        case .skipped: try await apply(.tooLateToStart, to: try await key(of: id))
        }
        return id
    }

    // MARK: Looking

    func record(_ id: String) async throws -> WorkRecord? { try await read { try $0.record(id: id) } }

    func state(of id: String) async throws -> WorkState? { try await record(id)?.status.state }

    func key(of id: String) async throws -> TransferKey {
        guard let record = try await record(id) else { throw UnknownItem(id: id) }
        return record.transferKey
    }

    struct UnknownItem: Error {
        var id: String
    }

    /// The ids of all items, in the order of enqueueing.
    func ids(_ query: WorkQuery = WorkQuery()) async throws -> [String] {
        try await read { try $0.records(matching: query).map(\.id) }
    }

    /// The states of a chain's members, in order.
    func states(ofChain id: String) async throws -> [WorkState] {
        try await read { try $0.records(chainID: id).map(\.status.state) }
    }

    /// All events that are kept, in order.
    func events() async throws -> [TaskCompletionEvent] {
        try await read { try $0.newestEvents(workID: nil, before: nil, limit: 100_000).reversed() }
    }

    func outbox() async throws -> [TransferKey] { try await read { try $0.outbox().map(\.key) } }
}

extension TaskRequest {
    static let plain = TaskRequest(workerClassName: "W")

    static func input(_ json: String) -> TaskRequest { TaskRequest(workerClassName: "W", inputJSON: json) }
}

extension RunEnding {
    static let success = RunEnding.finished(.succeeded, message: nil, outputJSON: nil)

    static func output(_ json: String) -> RunEnding { .finished(.succeeded, message: nil, outputJSON: json) }

    /// As the request's policy says.
    static func tryAgain(_ reason: String) -> RunEnding { .retry(reason: reason, after: nil, attemptCap: nil) }
}

extension RetryPolicy {
    /// Ten seconds after the first attempt, twenty after the second, and so on.
    static func tenSeconds(_ attempts: Int = 5) -> RetryPolicy {
        .linear(initialDelay: .seconds(10), maximumAttempts: attempts, jitter: 0)
    }
}

extension FileMove {
    static let sample = FileMove(
        temporaryPath: "/staging/1", targetPath: "/target/file",
        identity: FileIdentity(device: 1, inode: 2, bytes: 3))
}

extension WallTime {
    /// When each test begins.
    static let start = WallTime(milliseconds: 1_800_000_000_000)

    static func after(_ duration: Duration) -> WallTime { start.advanced(byMs: duration.milliseconds) }
}
