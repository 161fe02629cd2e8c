import BackgroundWorkFoundation

/// Work cannot be shown and continued by the system. The work itself is not affected: it runs as all other work does.
public enum ContinuedRunError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Why the system has refused.
    public enum Refusal: String, Sendable, Hashable {
        /// It has no room now, and the request was not to wait.
        case noRoom
        /// The app may not run in the background.
        case unavailable
        /// Info.plist lacks the identifier.
        case notPermitted
        /// Too many requests of the app wait.
        case tooManyPending
        /// For another reason, which the advice names.
        case other
    }

    /// This system, or this scheduler, has nothing for it.
    case unsupported(reason: String)
    /// The system does not take the request; the advice says what to do.
    case refused(Refusal, advice: String)
    /// There is no work and no chain with these ids, or it is no longer retained.
    case unknownWork(ids: [String])
    /// Work that recurs has no end.
    case recurringWork(id: String)

    /// What happened, and what to do.
    public var description: String {
        switch self {
        case .unsupported(let reason): "The work cannot be continued in the background here: \(reason)."
        case .refused(_, let advice): "The system does not continue the work in the background: \(advice)."
        case .unknownWork(let ids):
            "There is no work with the id \(ids.map { "\"\($0)\"" }.joined(separator: ", ")). Enqueue it first."
        case .recurringWork(let id):
            "\"\(id)\" recurs, so it never ends. Enqueue what the user has started as work that runs once."
        }
    }
}

extension ContinuedRunError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}

extension ContinuedRunError {
    /// - Parameter prefix: of the run's identifier.
    init(_ error: LaunchRequestError, prefix: String) {
        self =
            switch error {
            case .immediateRunIneligible: .refused(.noRoom, advice: error.advice)
            case .unavailable: .refused(.unavailable, advice: error.advice)
            case .tooManyPending: .refused(.tooManyPending, advice: error.advice)
            case .notPermitted:
                .refused(
                    .notPermitted,
                    advice: "Info.plist or the user does not permit it. Add \(prefix).continued.* to "
                        + "BGTaskSchedulerPermittedIdentifiers")
            case .notRegistered, .other: .refused(.other, advice: error.advice)
            }
    }
}
