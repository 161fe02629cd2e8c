/// What becomes of a work item when something happens to it.
package enum WorkTransition: Sendable, Hashable {
    /// It goes on in this status.
    case goesOn(WorkStatus)
    /// It is finished, and its event is due.
    case finishes(WorkStatus, WorkOutcome)
    /// Nothing changes.
    case refused(Refusal)

    package enum Refusal: String, Sendable, Hashable {
        /// It belongs to an earlier generation.
        case outdated
        /// The item has finished before.
        case alreadyFinished
        /// The file is being moved into place; the item finishes in a moment.
        case tooLate
        /// It cannot happen in this state.
        case notApplicable
    }
}
