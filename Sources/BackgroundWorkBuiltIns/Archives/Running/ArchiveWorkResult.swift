import BackgroundWorkArchive
import BackgroundWorkFiles
import BackgroundWorkModel
import BackgroundWorkSystem
import BackgroundWorkTransfers

/// How an error of an archive worker ends its run.
enum ArchiveWorkResult {
    /// What an earlier thread gets to end after a stop.
    private static let patience = Duration.seconds(1)

    /// Throws what the scheduler handles itself: a stop, and a run that is over.
    ///
    /// - Parameter what: what was tried, for the message.
    static func of(_ error: any Error, trying what: String) throws -> WorkerResult {
        switch error {
        case is WorkInProgressError:
            return .snooze(for: patience, reason: "an earlier run of this work has not ended yet")
        case let error as FileError where error.isTransient || error.isOutOfSpace:
            return .retry(reason: "\(what): \(error)".printable)
        case is FileError, is RefusedPathError, is ArchiveError, is LostArchiveError:
            return .failure(message: "\(what): \(error)".printable)
        default: throw error
        }
    }
}
