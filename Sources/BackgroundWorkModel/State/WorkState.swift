/// The state of a work item.
public enum WorkState: Int, Sendable, Hashable, Codable, CaseIterable {
    /// Waits for the previous step of its chain.
    case blocked = 0
    /// Due now or later; also between two attempts.
    case pending = 1
    /// A process has claimed it, and runs it or is about to.
    case running = 2
    /// The worker is done; the outcome comes later.
    case handedOff = 3
    /// The file has arrived and is being moved into place.
    case finishing = 4
    /// Done.
    case succeeded = 5
    /// Failed for good.
    case failed = 6
    /// Cancelled or replaced.
    case cancelled = 7
    /// Its time had passed.
    case skipped = 8

    /// Whether its state is final.
    public var isFinished: Bool { rawValue >= WorkState.succeeded.rawValue }

    package init(_ outcome: WorkOutcome) {
        self =
            switch outcome {
            case .succeeded: .succeeded
            case .failed: .failed
            case .cancelled: .cancelled
            case .skipped: .skipped
            }
    }
}

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

/// How a finished request ended.
public enum WorkOutcome: String, Sendable, Hashable, Codable, CaseIterable {
    /// The worker, or the transfer it handed off, succeeded.
    case succeeded
    /// It failed for good; the message says why.
    case failed
    /// It was cancelled, replaced, or depended on work that was.
    case cancelled
    /// It was not run because its time had passed.
    case skipped
}
