import BackgroundWorkFiles
import BackgroundWorkModel
import Dispatch

/// `bg_url_session_state.json`: the active transfers, each written before it is started.
///
/// Changes that wait share one write. Every write holds a lock file, reads what another process may have written
/// meanwhile, and replaces the file as a whole, so the file is at every instant the old one or the new one.
package final class TransferStateStore: Sendable {
    package static let fileName = "bg_url_session_state.json"

    private let file: StateFile
    private let folders: FolderMoves
    let changes: StateChangeQueue
    /// For reads from the disk, so that they do not wait for writes.
    private let reading = DispatchQueue(label: "BackgroundWork.TransferStateStore.reading")

    /// - Parameters:
    ///   - folders: what has moved since entries were written.
    ///   - report: told when a file had to be set aside, or ``removeSoon(session:task:)`` has failed.
    package init(
        directory: String, folders: FolderMoves = .none, clock: any WorkClock,
        report: @escaping @Sendable (String) -> Void
    ) {
        self.folders = folders
        let file = StateFile(path: directory + "/" + Self.fileName, clock: clock, report: report)
        self.file = file
        changes = StateChangeQueue {
            report("\(file.path) keeps entries of transfers that have ended until the next start: \($0)")
        } write: {
            try file.apply($0)
        }
    }

    package var path: String { file.path }

    /// The queue on which the file is written, under its lock.
    package var writerQueue: HoldableQueue { changes.queue }

    /// How often this store has replaced the file.
    package var rewrites: Int { file.rewrites }

    /// Adds or replaces an entry.
    ///
    /// When it returns, the file on disk has it, and survives a power cut: temporary, fsync, rename, fsync of the
    /// folder. When it throws, the file is as it was, or has the entry if only the folder's fsync failed.
    package func put(_ entry: TransferEntry) async throws { try await put([entry]) }

    /// The same of several, in one write.
    package func put(_ entries: [TransferEntry]) async throws {
        if !entries.isEmpty { try await changes.submit(entries.map { .put($0) }) }
    }

    /// Removes an entry. When it returns, the file on disk is without it, as durably as ``put(_:)`` leaves it.
    ///
    /// A missing one is fine, and costs one `stat`: no write, no lock and no read, unless the file has changed since the
    /// last check.
    package func remove(session: String, task: Int64) async throws {
        let change = StateChange.remove(session: session, task: task)
        if await isAbsent(change.name) { return }
        try await changes.submit([change])
    }

    /// Removes an entry with the next write, or a moment later with its own, and returns at once. Until then this
    /// store no longer returns it, and others still find it in the file.
    package func removeSoon(session: String, task: Int64) {
        changes.submitLater([.remove(session: session, task: task)])
    }

    /// Returns when the file on disk is without the entries that ``removeSoon(session:task:)`` was asked for before. What
    /// cannot be removed now is at the next start.
    package func finishRemovals() async { if changes.isBusy { try? await changes.submit([]) } }

    /// Removes entries in one write; when it returns, the file on disk is without any of them. Missing ones are fine.
    package func remove(_ entries: [TransferEntry]) async throws {
        if entries.isEmpty { return }
        try await changes.submit(
            entries.map { .remove(session: $0.sessionIdentifier, task: $0.taskIdentifier) })
    }

    /// The entry of a transfer, read from disk if the file has changed since the last check.
    ///
    /// Synchronous, because background delegates ask from their callbacks; it blocks for one `stat`, and for reading
    /// the file when that is new.
    package func entry(session: String, task: Int64) throws -> TransferEntry? {
        let name = TransferEntry.name(session: session, task: task)
        // In this order: a removal is pending until it is in the file.
        if changes.removals.contains(StateDocument.spelling(of: name)) { return nil }
        return try file.current().entry(named: name)?.moved(by: folders)
    }

    /// All entries, in the order of their names. Blocks as ``entry(session:task:)`` does.
    package func entries() throws -> [TransferEntry] {
        // In this order: a removal is pending until it is in the file.
        let removals = changes.removals
        let entries = try currentEntries()
        return removals.isEmpty
            ? entries : entries.filter { !removals.contains(StateDocument.spelling(of: $0.name)) }
    }

    private func currentEntries() throws -> [TransferEntry] {
        let entries = try file.current().entries
        return folders.isEmpty ? entries : entries.map { $0.moved(by: folders) }
    }

    /// All entries, read off the cooperative pool.
    package func loadEntries() async throws -> [TransferEntry] {
        try await withCheckedThrowingContinuation { continuation in
            reading.async { continuation.resume(with: Result { try self.entries() }) }
        }
    }

    /// Whether there is nothing to remove: no put of that entry that began before this call can still reach the file
    /// from this process, and none from another that has returned is missing in it.
    private func isAbsent(_ name: [UInt8]) async -> Bool {
        // In this order: a put is pending until it is in the file.
        guard !changes.concerns(name), file.lastKnown(contains: name) == false else { return false }
        return await withCheckedContinuation { continuation in
            reading.async { continuation.resume(returning: self.file.isKnownToLack(name)) }
        }
    }
}
