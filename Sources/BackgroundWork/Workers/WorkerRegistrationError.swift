#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A worker could not be registered. Nothing was registered.
public enum WorkerRegistrationError: Error, Hashable, CustomStringConvertible {
    /// Another worker has this name or alias.
    case nameTaken(String)
    /// The name or an alias is empty.
    case emptyName

    /// What is wrong, and what to do.
    public var description: String {
        switch self {
        case .nameTaken(let name):
            "A worker named \"\(name)\" is registered already. Each name and alias may be used once."
        case .emptyName: "A worker's name or alias is empty."
        }
    }
}

extension WorkerRegistrationError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}
