#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A digest could not be computed, for another reason than that its file could not be read.
package struct DigestError: Error, Hashable, CustomStringConvertible {
    /// Which one: `MD5`, `SHA1`, `SHA256` or `SHA512`.
    package let algorithm: String
    /// What is wrong, and what to do where that is known.
    package let reason: String

    /// What happened.
    package var description: String { "Cannot compute a digest with \(algorithm): \(reason)" }
}

extension DigestError: LocalizedError {
    /// The same as `description`.
    package var errorDescription: String? { description }
}
