#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An outcome from outside could not be understood. Nothing changed.
public enum CompletionError: Error, Hashable, CustomStringConvertible {
    /// The token is none that a scheduler gave out.
    case malformedToken(String)
    /// A hand-off cannot be completed with another hand-off.
    case notAnOutcome
    /// The output is not a JSON document.
    case malformedOutput(reason: String)

    /// What is wrong.
    public var description: String {
        switch self {
        case .malformedToken(let token): "\"\(token)\" is no hand-off token."
        case .notAnOutcome: "A hand-off is completed with success, failure or retry, not with another hand-off."
        case .malformedOutput(let reason): "The outputJSON is not valid JSON: \(reason)."
        }
    }
}

extension CompletionError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}
