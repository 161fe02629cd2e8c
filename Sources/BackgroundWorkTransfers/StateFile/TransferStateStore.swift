import BackgroundWorkFiles
import BackgroundWorkModel
import Dispatch
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `bg_url_session_state.json`: which transfers are under way, written before each is started.
///
/// Changes that wait share one write. Every write holds a lock file, reads what another process may have written
/// meanwhile, and replaces the file as a whole, so the file is at every instant the old one or the new one.
package final class TransferStateStore: Sendable {
    package static let fileName = "bg_url_session_state.json"

    private enum Change: Sendable {
        case put(TransferEntry)
        case remove(name: String)
    }

    private struct Waiting: Sendable {
        var change: Change
        var settle: @Sendable ((any Error)?) -> Void
    }

    private struct Pending: Sendable {
        var changes: [Waiting] = []
        var isDraining = false
    }

    private struct Cache: Sendable {
        var stamp: FileStamp
        var document: StateDocument
    }

    package let path: String
    private let queue = DispatchQueue(label: "BackgroundWork.TransferStateStore")
    private let pending = Mutex(Pending())
    private let cache = Mutex<Cache?>(nil)
    private let written = Atomic(0)
    private let clock: any WorkClock
    private let report: @Sendable (String) -> Void

    /// - Parameter report: told when a file had to be set aside.
    package init(directory: String, clock: any WorkClock, report: @escaping @Sendable (String) -> Void) {
        path = directory + "/" + Self.fileName
        self.clock = clock
        self.report = report
    }

    /// Adds or replaces an entry; durable when it returns.
    package func put(_ entry: TransferEntry) async throws { try await submit(.put(entry)) }

    /// Removes an entry; durable when it returns. A missing one is fine, and costs no write.
    package func remove(session: String, task: Int64) async throws {
        try await submit(.remove(name: TransferEntry.name(session: session, task: task)))
    }

    /// The entry of a transfer, read from disk if the file has changed since the last look.
    ///
    /// Synchronous, because background delegates ask from their callbacks; it blocks for one `stat`, and for reading
    /// the file when that is new.
    package func entry(session: String, task: Int64) throws -> TransferEntry? {
        try current().entry(named: TransferEntry.name(session: session, task: task))
    }

    /// All entries. Blocks as ``entry(session:task:)`` does.
    package func entries() throws -> [TransferEntry] { try current().entries }

    /// All entries, read off the cooperative pool.
    package func loadEntries() async throws -> [TransferEntry] {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try self.entries() }) }
        }
    }

    /// How often this store has replaced the file.
    package var rewrites: Int { written.load(ordering: .relaxed) }

    private func submit(_ change: Change) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            let mustDrain = pending.withLock { pending in
                pending.changes.append(
                    Waiting(change: change) { error in
                        continuation.resume(with: error.map(Result.failure) ?? .success(()))
                    })
                defer { pending.isDraining = true }
                return !pending.isDraining
            }
            if mustDrain { queue.async { self.drain() } }
        }
    }

    private func drain() {
        while true {
            let group = pending.withLock { pending in
                defer { pending.changes.removeAll(keepingCapacity: true) }
                pending.isDraining = !pending.changes.isEmpty
                return pending.changes
            }
            if group.isEmpty { return }
            let outcome = Result { try apply(group.map(\.change)) }
            for waiting in group {
                if case .failure(let error) = outcome { waiting.settle(error) } else { waiting.settle(nil) }
            }
        }
    }

    /// One locked read, change and write for the whole group.
    private func apply(_ changes: [Change]) throws {
        let lock = try AdvisoryLock(path: path + ".lock", contention: .wait)
        defer { withExtendedLifetime(lock) {} }
        var document = try current(settingAside: true)
        var isChanged = false
        for change in changes {
            switch change {
            case .put(let entry):
                document.put(entry)
                isChanged = true
            case .remove(let name):
                if document.remove(named: name) { isChanged = true }
            }
        }
        guard isChanged else { return }
        try DurableFile.replace(path, with: document.encoded())
        written.add(1, ordering: .relaxed)
        let stamp = FileStamp(path: path)
        cache.withLock { $0 = stamp.map { Cache(stamp: $0, document: document) } }
    }

    /// The document as it is on disk now.
    ///
    /// - Parameter settingAside: whether a file that does not parse may be renamed, which needs the lock.
    private func current(settingAside: Bool = false) throws -> StateDocument {
        guard let stamp = FileStamp(path: path) else { return StateDocument() }
        if let known = cache.withLock({ $0 }), known.stamp == stamp { return known.document }
        let bytes = try Data(contentsOf: URL(filePath: path))
        let document: StateDocument
        do {
            document = try StateDocument(bytes)
        } catch {
            guard settingAside else {
                // Without the lock another process may be setting it aside just now; ask again with it.
                return try readUnderLock()
            }
            let aside = try DamagedFile.setAside(path, at: clock.now)
            report("\(path) could not be read (\(error)); it was kept as \(aside), and a new one begun")
            return StateDocument()
        }
        cache.withLock { $0 = Cache(stamp: stamp, document: document) }
        return document
    }

    private func readUnderLock() throws -> StateDocument {
        let lock = try AdvisoryLock(path: path + ".lock", contention: .wait)
        defer { withExtendedLifetime(lock) {} }
        return try current(settingAside: true)
    }
}
