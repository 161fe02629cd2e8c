#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A local server could not be started.
public struct LocalServerError: Error, Hashable, CustomStringConvertible {
    /// What was tried.
    public let action: String
    /// The system's error number (errno).
    public let code: Int32

    /// What was tried, and why it failed.
    public var description: String { "The local server cannot \(action): \(String(cString: strerror(code)))" }
}

extension LocalServerError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}
