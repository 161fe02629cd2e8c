import BackgroundWorkModel
import BackgroundWorkStorage
import BackgroundWorkTransfers
import Synchronization

/// Follows a scheduler's transfers off the main actor, for a tracker that reads them periodically.
final class TransferFeed: Sendable {
    private let book: Mutex<TransferList>
    private let isOver = Atomic(false)
    private let signal = WakeSignal()
    private let tasks = TaskBag()
    private let store: WorkStore
    private let stateStore: TransferStateStore

    /// Follows from this call on, until it is released.
    init(_ scheduler: WorkScheduler, group: String?, endedLimit: Int) {
        book = Mutex(TransferList(endedLimit: endedLimit, group: group))
        store = scheduler.store
        stateStore = scheduler.stateStore
        let events = scheduler.eventBus.events
        let reports = scheduler.backgroundSessions.progress
        let active = scheduler.transfers?.progress.active ?? []
        let isTransfer = scheduler.handsOffTransfers
        note(active.sorted { $0.taskIdentifier < $1.taskIdentifier })
        tasks.add(Task { [weak self] in for await report in reports { self?.note([report]) } })
        tasks.add(
            Task { [weak self] in
                for await event in events {
                    if event.missedBefore > 0 { await self?.catchUp() }
                    self?.note(event, isTransfer: isTransfer(event.taskName))
                }
                self?.finish()
            })
    }

    /// Returns when there is something new; `false` when there will be nothing more.
    func wait() async -> Bool {
        if isOver.load(ordering: .acquiring) || Task.isCancelled { return false }
        await signal.wait()
        return !Task.isCancelled
    }

    /// The current transfers, with paths looked up for those that had none.
    func transfers() async -> [TrackedTransfer] {
        await findPaths()
        return book.withLock { $0.transfers }
    }

    func removeEnded() -> [TrackedTransfer] {
        book.withLock { book in
            book.removeEnded()
            return book.transfers
        }
    }

    private func note(_ reports: [TransferProgress]) {
        let hasChanged = book.withLock { book in reports.reduce(false) { book.note($1) || $0 } }
        if hasChanged { signal.raise() }
    }

    private func note(_ event: TaskCompletionEvent, isTransfer: Bool) {
        let end = TransferList.End(
            workID: event.workID, outcome: event.outcome, message: event.message, outputJSON: event.outputJSON)
        // Work that was cancelled or skipped before its hand-off never was a transfer.
        let adds = isTransfer && (event.outcome == .succeeded || event.outcome == .failed)
        if book.withLock({ $0.note(end, adds: adds) }) { signal.raise() }
    }

    /// Events were missed, so the outcomes of the listed transfers are read from the store.
    private func catchUp() async {
        let ids = book.withLock { $0.unfinished }
        let ended = try? await store.read { transaction in
            try ids.compactMap { id -> TransferList.End? in
                guard let record = try transaction.record(id: id) else { return nil }
                return record.status.state.outcome.map {
                    .init(workID: id, outcome: $0, message: record.message, outputJSON: record.outputJSON)
                }
            }
        }
        let hasChanged = book.withLock { book in (ended ?? []).reduce(false) { book.note($1, adds: false) || $0 } }
        if hasChanged { signal.raise() }
    }

    /// The daemon's reports name no files; the state file does.
    private func findPaths() async {
        let wanted = book.withLock { $0.withoutPath }
        if wanted.isEmpty { return }
        guard let entries = try? await stateStore.loadEntries() else { return }
        let paths = Dictionary(entries.map { ($0.name, $0.savePath) }) { $1 }
        book.withLock { book in
            for (id, session, task) in wanted {
                guard let path = paths[TransferEntry.name(session: session, task: task)] else { continue }
                _ = book.setPath(path, of: id)
            }
        }
    }

    private func finish() {
        isOver.store(true, ordering: .releasing)
        signal.raise()
    }
}
