#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A text is not JSON. The description says what was expected, and the byte at which it was missing.
package struct JSONSyntaxError: Error, Hashable, CustomStringConvertible {
    package let description: String
}

extension JSONSyntaxError: LocalizedError {
    /// The same as `description`.
    package var errorDescription: String? { description }
}
