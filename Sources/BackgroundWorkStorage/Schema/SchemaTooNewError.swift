#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The database was written by a later version of this package. The file is left as it is.
public struct SchemaTooNewError: Error, CustomStringConvertible {
    /// The database file.
    public let path: String
    /// What the database holds, in words.
    public let title: String
    /// The file's schema version.
    public let found: Int
    /// The newest version that this program knows.
    public let supported: Int

    /// What happened, with both versions, and what to do.
    public var description: String {
        "The \(title) at \(path) has schema version \(found), but this program knows only up to \(supported). "
            + "The file was left untouched. Run the program version that wrote it, or a later one."
    }
}

extension SchemaTooNewError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}
