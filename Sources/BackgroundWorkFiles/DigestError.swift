#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A digest could not be computed, for another reason than that its file could not be read.
public struct DigestError: Error, Hashable, CustomStringConvertible {
    /// Which one: `MD5`, `SHA1`, `SHA256` or `SHA512`.
    public let algorithm: String
    /// What is wrong, and what to do where that is known.
    public let reason: String

    /// What happened.
    public var description: String { "Cannot compute a digest with \(algorithm): \(reason)" }
}

extension DigestError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}
