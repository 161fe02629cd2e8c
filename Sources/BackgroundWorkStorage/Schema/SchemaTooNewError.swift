#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The database was written by a later version of this package. The file is left as it is.
package struct SchemaTooNewError: Error, CustomStringConvertible {
    /// The database file.
    package let path: String
    /// What the database holds, in words.
    package let title: String
    /// The file's schema version.
    package let found: Int
    /// The newest version that this program knows.
    package let supported: Int

    /// What happened, with both versions, and what to do.
    package var description: String {
        "The \(title) at \(path) has schema version \(found), but this program knows only up to \(supported). "
            + "The file was left untouched. Run the program version that wrote it, or a later one."
    }
}

extension SchemaTooNewError: LocalizedError {
    /// The same as `description`.
    package var errorDescription: String? { description }
}
