/// How an owner of work has ended, and what is known of the runs that it had started.
package struct OwnerEnd: Sendable, Hashable {
    package enum Cause: Sendable, Hashable {
        /// Its process was killed, or nothing is known: its work may be the cause.
        case killed
        /// Its process has exited, or has shut it down.
        case exited
        /// The machine stopped with it: no work is the cause.
        case machineStopped
    }

    /// The runs that an owner had started.
    package struct Runs: Sendable, Hashable {
        package var started: Set<RunStamp>
        /// Of these, runs of work that must not run twice whose worker had not been called.
        package var notCalled: Set<RunStamp>

        package init(_ started: Set<RunStamp>, notCalled: Set<RunStamp> = []) {
            self.started = started
            self.notCalled = notCalled
        }
    }

    package var cause: Cause
    /// `nil` if they are not known: every run counts as started then, and its worker as called.
    package var runs: Runs?

    package init(_ cause: Cause, _ runs: Runs?) {
        self.cause = cause
        self.runs = runs
    }

    /// Whether a run may have started.
    func hasStarted(_ record: WorkRecord) -> Bool { runs?.started.contains(RunStamp(record)) ?? true }

    /// Whether the work may run once more: its worker has no effects yet, or may have them twice.
    func mayRunAgain(_ record: WorkRecord) -> Bool {
        record.isIdempotent || runs?.notCalled.contains(RunStamp(record)) ?? false
    }
}
