#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The outcome of a group cannot be told.
public enum TransferGroupError: Error, Hashable, CustomStringConvertible {
    /// No work that the store remembers bears the group's tag.
    case noMembers(group: String)
    /// The scheduler was shut down before the last member had finished; the next one can be asked again.
    case shutDown(group: String)

    /// What is missing, and what to do.
    public var description: String {
        switch self {
        case .noMembers(let group):
            "The group \"\(group)\" has no members. Enqueue transfers with this label in options.group before."
        case .shutDown(let group):
            "The scheduler was shut down while members of the group \"\(group)\" had not finished. Ask the next one."
        }
    }
}

extension TransferGroupError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}
