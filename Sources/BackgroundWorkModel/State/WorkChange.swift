/// Something that happens to a work item.
package enum WorkChange: Sendable, Hashable {
    /// Every request of the previous step succeeded.
    case released
    /// A request that this one waits for ended otherwise.
    case predecessorEnded(WorkOutcome)
    /// A process claims it to run it.
    case claimed
    /// The worker is done with it for good.
    case workerFinished(WorkOutcome)
    /// The worker wants another attempt, and the policy allows it.
    case workerRetries
    /// The worker wants to run again later, and nothing was wrong: no attempt is counted.
    case workerSnoozes
    /// The worker handed it off.
    case workerHandedOff
    /// The hand-off's outcome is final, and there is no file to move: a failure, an upload, or a hand-off of the
    /// host's own.
    case outcomeFinal(WorkOutcome)
    /// The hand-off failed, and the policy allows another attempt.
    case outcomeRetries
    /// The outcome of a hand-off made by a dead process has arrived: the worker need not run again.
    case outcomeIsThere
    /// The transfer's file has arrived and is about to be moved into place.
    case fileArrived
    /// Another file has the name; the transfer's file gets the next one.
    case fileRedirected
    /// The file is in place.
    case fileMoved
    /// The daemon has lost the transfer; it is to be submitted again.
    case handOffLost
    /// The daemon does not know the transfer, and it is past the age limit.
    case sweptAsStale
    /// The process that ran it, or moved its file, was killed, and its work may be the cause.
    ///
    /// - `mayRunAgain`: false if the request is not idempotent and its worker was called.
    /// - `wasAlone`: it was the only item running there.
    case ownerDied(mayRunAgain: Bool, wasAlone: Bool)
    /// The process that ran it, or moved its file, has exited. The program may do so at any time, so its work is not
    /// assumed to be the cause.
    case ownerExited(mayRunAgain: Bool, wasAlone: Bool)
    /// It was stopped, and is to run again.
    case stopped
    /// It could not start in time.
    case tooLateToStart
    /// A caller retries what has failed, was cancelled or skipped.
    case revived
    /// What it waited for is retried, so it waits again.
    case blockedAgain
    /// A caller cancels it, or replaces it.
    case cancelled
}

/// The result of applying a change to a work item.
package enum WorkTransition: Sendable, Hashable {
    /// It continues in this status.
    case continues(WorkStatus)
    /// It is finished, and its event has to be written.
    case finishes(WorkStatus, WorkOutcome)
    /// Nothing changes.
    case refused(Refusal)

    package enum Refusal: String, Sendable, Hashable {
        /// It belongs to an earlier generation.
        case outdated
        /// The item has already finished.
        case alreadyFinished
        /// The file is being moved into place; the item finishes in a moment.
        case tooLate
        /// It cannot happen in this state.
        case notApplicable
    }
}
