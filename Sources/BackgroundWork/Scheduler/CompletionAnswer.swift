/// What became of an outcome that was brought from outside.
public enum CompletionAnswer: Sendable, Hashable {
    /// It was taken: the work has finished, or will be tried again.
    case completed
    /// The work had its outcome before, was cancelled or replaced, or is not known any more. Nothing changed.
    case alreadyCompleted
}
