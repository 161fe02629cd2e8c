#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A database seems damaged and cannot be set aside, because somebody works on it.
package struct DatabaseInUseError: Error, CustomStringConvertible {
    package var path: String
    /// Who, in words.
    package var user: String
    /// What seems wrong with it.
    package var reason: String

    package var description: String {
        "The database \(path) seems damaged (\(reason)), and \(user) works on it. Nothing was changed. End that process and "
            + "start again: a file that is still damaged is then set aside and a new one begun."
    }
}

extension DatabaseInUseError: LocalizedError {
    /// The same as `description`.
    package var errorDescription: String? { description }
}
