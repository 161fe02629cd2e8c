#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A frame that cannot be accepted. The connection it came on is closed; others go on.
package enum FrameError: Error, Hashable, CustomStringConvertible {
    case oversized(bytes: Int)
    case garbled(String, reason: String)

    package var description: String {
        switch self {
        case .oversized(let bytes):
            "a frame of \(bytes) bytes is over the limit of \(FrameCodec.maximumBytes) bytes"
        case .garbled(let start, let reason):
            "a frame beginning with \"\(start)\" could not be read: \(reason)"
        }
    }
}

extension FrameError: LocalizedError {
    /// The same as `description`.
    package var errorDescription: String? { description }
}
