import BackgroundWorkFiles
import BackgroundWorkModel
import BackgroundWorkStorage
import Dispatch
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// This scheduler's claim to be alive: a locked file that the kernel lets go of when the process ends, however it
/// ends. Others see at once, without a timeout, whose work may be taken back.
actor Ownership {
    private let folder: String
    private let store: WorkStore
    private let clock: any WorkClock
    private let queue = DispatchQueue(label: "BackgroundWork.Ownership")
    private var held: (id: Int64, lock: AdvisoryLock)? { didSet { heldNumber.withLock { $0 = held?.id } } }
    private nonisolated let heldNumber = Mutex<Int64?>(nil)
    private var registering: Task<(Int64, AdvisoryLock), any Error>?

    init(directory: String, store: WorkStore, clock: any WorkClock) {
        folder = directory + "/owners"
        self.store = store
        self.clock = clock
    }

    /// This scheduler's owner number; makes the lock file and then the row on the first call.
    nonisolated func identifier() async throws -> Int64 {
        if let number = heldNumber.withLock({ $0 }) { return number }
        return try await registeredIdentifier()
    }

    private func registeredIdentifier() async throws -> Int64 {
        if let held { return held.id }
        if let registering { return try await registering.value.0 }
        let task = Task { try await self.register() }
        registering = task
        defer { registering = nil }
        let (id, lock) = try await task.value
        held = (id, lock)
        return id
    }

    /// Where this scheduler's lock file lies.
    func lockPath() async throws -> String {
        _ = try await identifier()
        return held?.lock.path ?? folder
    }

    /// The other owners there are, alive or not.
    func others() async throws -> [WorkTransaction.Owner] {
        try await store.read { try $0.owners() }.filter { $0.id != held?.id }
    }

    /// Takes back what dead owners left.
    func reclaim() async throws -> WorkTransaction.Reclaimed {
        var total = WorkTransaction.Reclaimed()
        for owner in try await store.write({ try $0.owners() }) where owner.id != held?.id {
            guard let reclaimed = try await reclaim(from: owner) else { continue }
            total.requeued += reclaimed.requeued
            total.failed += reclaimed.failed
            total.interruptedMoves += reclaimed.interruptedMoves
        }
        return total
    }

    /// Whether an owner lives. A dead one's work is taken back at once.
    func isAlive(_ id: Int64) async throws -> Bool {
        if id == held?.id { return true }
        guard let owner = try await store.write({ try $0.owners() }).first(where: { $0.id == id }) else {
            return false
        }
        return try await reclaim(from: owner) == nil
    }

    /// Gives up the claim. Nothing may be owned any more.
    func release() async throws {
        guard let (id, lock) = held else { return }
        held = nil
        try await store.write { try $0.removeOwner(id) }
        unlink(lock.path)
    }

    private func register() async throws -> (Int64, AdvisoryLock) {
        let name = UUID().uuidString.lowercased() + ".lock"
        let path = "\(folder)/\(name)"
        let folder = folder
        let lock = try await onQueue { () -> AdvisoryLock in
            try Folder.create(folder, mode: 0o700)
            guard let lock = try AdvisoryLock(path: path, contention: .giveUp) else {
                throw FileError(action: "lock", path: path, code: EWOULDBLOCK)
            }
            return lock
        }
        store.setOwnLockFile(name)
        let pid = getpid()
        let id = try await store.write { try $0.addOwner(lockFile: name, processIdentifier: pid) }
        return (id, lock)
    }

    /// `nil` when the owner lives.
    private func reclaim(from owner: WorkTransaction.Owner) async throws -> WorkTransaction.Reclaimed? {
        let path = "\(folder)/\(owner.lockFile)"
        // A file that is gone belonged to an owner that died, and made when opened it would be locked by nobody.
        guard let lock = try await onQueue({ try AdvisoryLock(path: path, contention: .giveUp) }) else { return nil }
        defer { withExtendedLifetime(lock) {} }
        let now = WallTime(clock.now)
        let reclaimed = try await store.write { transaction in
            // Another process may have reclaimed between the look and the lock.
            guard try transaction.owners().contains(owner) else { return WorkTransaction.Reclaimed() }
            return try transaction.reclaim(from: owner, now: now)
        }
        unlink(path)
        unlink(PeerBell.path(path))
        return reclaimed
    }

    private nonisolated func onQueue<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result(catching: body)) }
        }
    }
}
