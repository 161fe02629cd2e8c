#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
