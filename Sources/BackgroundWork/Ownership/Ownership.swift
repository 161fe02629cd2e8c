import BackgroundWorkFiles
import BackgroundWorkFoundation
import BackgroundWorkModel
import BackgroundWorkStorage
import BackgroundWorkSystem
import Dispatch
import Synchronization

/// This scheduler's proof that it is alive: a locked file, whose lock the kernel releases when the process ends,
/// however it ends. Others see at once, without a timeout, whose work may be taken back.
actor Ownership {
    /// The registration of this scheduler.
    struct Held: Sendable {
        var id: Int64
        var lock: AdvisoryLock
        /// `nil` when the lock file cannot be written.
        var notes: RunNotes?
    }

    private let folder: OwnerFolder
    private let store: WorkStore
    private let clock: any WorkClock
    private let boot: String
    private let queue = HoldableQueue(label: "BackgroundWork.Ownership")
    /// On which the own lock is let go and taken again, also while the other queue is held.
    private let ownQueue = HoldableQueue(label: "BackgroundWork.OwnLock")
    /// Locks that are held until a commit.
    private let locking = WorkInProgress()
    private nonisolated let state = Mutex<Held?>(nil)
    /// While the lock is let go.
    private nonisolated let lifeSign = Mutex<LifeSign?>(nil)
    private var registering: Task<Held, any Error>?

    init(directory: String, store: WorkStore, clock: any WorkClock) {
        folder = OwnerFolder(directory: directory)
        self.store = store
        self.clock = clock
        boot = (try? BootIdentifier.read()) ?? ""
    }

    /// The registration, once there is one.
    nonisolated var held: Held? { state.withLock { $0 } }

    /// This scheduler's owner number; creates the lock file and then the row on the first call.
    nonisolated func identifier() async throws -> Int64 {
        if let held { return held.id }
        return try await registered().id
    }

    /// The registration, and what `body` returns: run in the transaction of the registration, if that is still to be
    /// made, and in a separate one otherwise.
    func registered<Value: Sendable>(
        with body: @escaping @Sendable (WorkTransaction) throws -> Value
    ) async throws -> (Held, Value) {
        if held == nil, registering == nil {
            let made = Mutex<Value?>(nil)
            let held = try await registered(and: { transaction in
                let value = try body(transaction)
                made.withLock { $0 = value }
            })
            if let value = made.withLock({ $0 }) { return (held, value) }
        }
        let held = try await registered()
        return (held, try await store.write(body))
    }

    /// The registration; made on the first call.
    func registered() async throws -> Held { try await registered(and: { _ in }) }

    /// - Parameter body: run in the transaction of the registration, if this call makes it.
    private func registered(and body: @escaping @Sendable (WorkTransaction) throws -> Void) async throws -> Held {
        if let held { return held }
        if let registering { return try await registering.value }
        let task = Task { try await self.register(body) }
        registering = task
        defer { registering = nil }
        let held = try await task.value
        state.withLock { $0 = held }
        return held
    }

    /// The other owners, alive or not.
    ///
    /// Read through the writer: at launch the reading connection is not open yet, and opening it takes longer.
    func others() async throws -> [WorkSnapshot.Owner] {
        let own = held?.id
        return try await store.write { try $0.owners() }.filter { $0.id != own }
    }

    /// Takes back the work of dead owners, and work that has no owner.
    func reclaim() async throws -> WorkTransaction.Reclaimed {
        var total = WorkTransaction.Reclaimed()
        for owner in try await others() {
            guard let reclaimed = try await reclaim(from: owner) else { continue }
            total = total + reclaimed
        }
        let now = WallTime(clock.now)
        let withoutOwner = try await store.write { transaction in
            try transaction.hasWorkWithoutOwner() ? try transaction.reclaimWithoutOwner(now: now) : nil
        }
        if let withoutOwner { total = total + withoutOwner }
        try await removeOrphans()
        return total
    }

    private func removeOrphans() async throws {
        let (folder, now) = (folder, clock.now)
        let old = try await on(queue) { folder.oldLocks(now: now) }
        if old.isEmpty { return }
        let orphans = old.subtracting(try await store.write { try $0.owners() }.map(\.lockFile))
        try await on(queue) { folder.removeOrphans(orphans) }
    }

    /// Whether an owner is alive. A dead one's work is taken back at once.
    func isAlive(_ id: Int64) async throws -> Bool {
        if id == held?.id { return true }
        guard let owner = try await store.read({ try $0.owners() }).first(where: { $0.id == id }) else {
            return false
        }
        if try await reclaim(from: owner) != nil { return false }
        // Somebody holds its lock: the owner, or whoever takes back its work at this moment. A process that is gone
        // holds nothing.
        guard owner.boot != boot || (kill(owner.processIdentifier, 0) != 0 && errno == ESRCH) else { return true }
        return try await reclaim(from: owner, contention: .wait) == nil
    }

    // MARK: Suspension

    /// Takes no other lock until ``takeUp()``: returns when none is under way, while the store can still be written.
    ///
    /// - Parameter wanted: called when another one is to be taken.
    func stopLocking(wanted: @escaping @Sendable () -> Void) async {
        await queue.hold(wanted: wanted)
        await locking.waitUntilIdle()
    }

    /// Lets the own lock go, for as long as the process may be suspended. Others see that it is there, and leave its
    /// work alone. When its notes cannot say so, the lock stays.
    func letGo() async throws {
        guard let held, let notes = held.notes else { return }
        let boot = boot
        try await on(ownQueue) {
            let sign = LifeSign(at: PeerNotifier.path(held.lock.path))
            self.lifeSign.withLock { $0 = sign }
            try notes.markSuspension(true, boot: boot)
            held.lock.letGo()
        }
    }

    /// Takes the own lock again; others may be taken.
    func takeUp() async throws {
        defer { queue.proceed() }
        guard let held, let notes = held.notes else { return }
        let boot = boot
        try await on(ownQueue) {
            try held.lock.takeAgain()
            try notes.markSuspension(false, boot: boot)
            self.lifeSign.withLock { $0 = nil }
        }
    }

    /// Releases the lock.
    ///
    /// - Parameter isReleased: whether the store has no more work of this owner. Otherwise the file stays, for the
    ///   process that takes that work back.
    nonisolated func close(isReleased: Bool) {
        let held = state.withLock { state in
            defer { state = nil }
            return state
        }
        guard let held else { return }
        lifeSign.withLock { $0 = nil }
        // The process that takes the work back must not take this for a death.
        if isReleased { unlink(held.lock.path) } else { held.notes?.markExit() }
        withExtendedLifetime(held.lock) {}
    }

    private func register(_ body: @escaping @Sendable (WorkTransaction) throws -> Void) async throws -> Held {
        let name = UUID().uuidString.lowercased() + ".lock"
        let path = "\(folder.path)/\(name)"
        let (folder, locking) = (folder, locking)
        let (lock, notes) = try await on(queue) { () -> (AdvisoryLock, RunNotes?) in
            try Folder.create(folder.path, mode: 0o700)
            guard let lock = try AdvisoryLock(path: path, contention: .giveUp) else {
                throw FileError(action: "lock", path: path, code: EWOULDBLOCK)
            }
            locking.begin()
            return (lock, RunNotes(path: path))
        }
        defer { locking.end() }
        store.setOwnLockFile(name)
        let (pid, boot) = (getpid(), boot)
        do {
            let id = try await store.write { transaction in
                try body(transaction)
                return try transaction.addOwner(lockFile: name, processIdentifier: pid, boot: boot)
            }
            return Held(id: id, lock: lock, notes: notes)
        } catch {
            unlink(path)
            throw error
        }
    }

    /// `nil` when its lock is held, by the owner or by somebody who takes back its work, unless that is waited for.
    private func reclaim(
        from owner: WorkSnapshot.Owner, contention: AdvisoryLock.Contention = .giveUp
    ) async throws -> WorkTransaction.Reclaimed? {
        let path = "\(folder.path)/\(owner.lockFile)"
        let (boot, locking) = (boot, locking)
        // A missing file belonged to a dead owner. Opening it would create a new file that no process locks.
        let taken = try await on(queue) { () -> (lock: AdvisoryLock, end: OwnerEnd)? in
            guard let lock = try AdvisoryLock(path: path, contention: contention) else { return nil }
            if owner.boot == boot, RunNotes.isSuspended(path: path, boot: boot) { return nil }
            locking.begin()
            // The notes are not synchronized, so after a crash of the machine they may be old ones.
            return (lock, owner.boot == boot ? RunNotes.read(path: path) : OwnerEnd(.machineStopped, nil))
        }
        guard let taken else { return nil }
        defer {
            withExtendedLifetime(taken.lock) {}
            locking.end()
        }
        let now = WallTime(clock.now)
        let reclaimed = try await store.write { transaction in
            // Another process may have reclaimed between the check and the lock.
            guard try transaction.owners().contains(owner) else { return WorkTransaction.Reclaimed() }
            return try transaction.reclaim(from: owner, after: taken.end, now: now)
        }
        unlink(path)
        unlink(PeerNotifier.path(path))
        return reclaimed
    }

    private nonisolated func on<Value: Sendable>(
        _ queue: HoldableQueue, _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result(catching: body)) }
        }
    }
}
