extension WorkState {
    /// How work in this state has ended; `nil` while it has not.
    package var outcome: WorkOutcome? {
        switch self {
        case .succeeded: .succeeded
        case .failed: .failed
        case .cancelled: .cancelled
        case .skipped: .skipped
        case .blocked, .pending, .running, .handedOff, .finishing: nil
        }
    }
}
