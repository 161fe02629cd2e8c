import BackgroundWorkFoundation
import Dispatch
import Synchronization

/// Watches a changing set of paths, and reports which one has changed.
///
/// Paths are absolute. A path may be that of a file or of a folder; it need not exist yet, nor the folders above it. A
/// change is:
/// - that it is created, deleted, or replaced by another file, also when a folder above it is moved or deleted;
/// - that its content is written. Permissions, owner and times alone do not count;
/// - in a folder: that an entry is created, deleted, renamed or, on Linux, written. Changes in folders inside it do not
///   count.
///
/// Symbolic links anywhere in a path are followed, and on Linux all of them are watched as well: changing the target of
/// a link is a change if it leads to another file, and always if the link is the last part of the path.
///
/// Nothing is delayed: each read of the system's events causes one call for each changed path, and a file that is
/// written for a while causes many calls. There can be a call without a new change; there is no change without a call,
/// except for changes that the system does not report: those made by other machines on a network volume, by mounting,
/// and on Linux through shared memory mappings.
package final class FileWatcher: Sendable {
    private let queue: DispatchQueue
    private let watches: Mutex<SystemWatches>
    private let isStopped = Atomic(false)
    private let changed: @Sendable (String) -> Void
    private let problem: @Sendable (FileWatchProblem) -> Void

    /// - Parameters:
    ///   - changed: is called on the watcher's queue, one call after the other, with a path as it was given.
    ///   - problem: is called on the watcher's queue when a path cannot be watched, in whole or in part. It is tried
    ///     again when something about the path changes, and with every ``watch(_:)``.
    /// - Throws: ``FileWatchProblem`` when the system cannot create a watcher.
    package init(
        changed: @escaping @Sendable (String) -> Void, problem: @escaping @Sendable (FileWatchProblem) -> Void
    ) throws {
        queue = DispatchQueue(label: "BackgroundWork.FileWatcher")
        watches = Mutex(try SystemWatches())
        self.changed = changed
        self.problem = problem
        watches.withLock { watches in watches.start(on: queue) { [weak self] in self?.readEvents() } }
    }

    deinit { watches.withLock { $0.stop() } }

    /// Replaces the watched set. No change of these paths that is made after it has returned is missed.
    ///
    /// A path that was watched before stays watched without a gap.
    package func watch(_ paths: Set<String>) async {
        await withCheckedContinuation { continuation in
            queue.async {
                self.report(self.watches.withLock { $0.replace(with: paths) })
                continuation.resume()
            }
        }
    }

    /// Ends watching permanently. A running call may still complete; no other follows. Never waits, even if a check of
    /// a path hangs with its volume.
    package func stop() {
        isStopped.store(true, ordering: .releasing)
        queue.async { self.watches.withLock { $0.stop() } }
    }

    private func readEvents() { report(watches.withLock { $0.readEvents() }) }

    private func report(_ report: WatchReport) {
        for path in report.changed where !isStopped.load(ordering: .acquiring) { changed(path) }
        for found in report.problems where !isStopped.load(ordering: .acquiring) { problem(found) }
    }
}

/// The result of one read of the system's events.
struct WatchReport {
    var changed: Set<String> = []
    var problems: [FileWatchProblem] = []
}

/// A path cannot be watched, or only in part.
package enum FileWatchProblem: Error, Hashable, CustomStringConvertible {
    /// This user has no watches left; Linux counts one for each folder and file.
    case noWatchesLeft(path: String)
    /// This user or process may not open another watcher.
    case noWatcher(reason: String)
    /// The system refuses to watch the path.
    case refused(FileError)

    /// What happened, to which path, and what to do.
    package var description: String {
        switch self {
        case .noWatchesLeft(let path):
            "Cannot watch \(path): the watches of this user are used up. Raise the limit, for example with "
                + "\"sysctl fs.inotify.max_user_watches=524288\", or watch fewer paths."
        case .noWatcher(let reason):
            "Cannot watch files: \(reason). Raise the limit on watchers, for example with "
                + "\"sysctl fs.inotify.max_user_instances=512\", or the one on open files, with \"ulimit -n\"."
        case .refused(let error): error.description
        }
    }
}

extension FileWatchProblem: LocalizedError {
    /// The same as `description`.
    package var errorDescription: String? { description }
}
