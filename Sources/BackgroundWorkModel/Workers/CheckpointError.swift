#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A checkpoint could not be stored. The one before it stands.
public enum CheckpointError: Error, Hashable, CustomStringConvertible {
    /// It is no JSON document.
    case malformed(workID: String, reason: String)
    /// It is larger than the limit; both in bytes.
    case tooLarge(workID: String, bytes: Int, limit: Int)
    /// The run is not the current one any more: it was cancelled, replaced, or taken back.
    case runIsOver(workID: String)

    /// What is wrong, with which work, and what to do.
    public var description: String {
        switch self {
        case .malformed(let workID, let reason): "The checkpoint of \"\(workID)\" is not valid JSON: \(reason)."
        case .tooLarge(let workID, let bytes, let limit):
            "The checkpoint of \"\(workID)\" has \(bytes) bytes; the limit is \(limit). Store it in a file and its path here."
        case .runIsOver(let workID):
            "\"\(workID)\" does not belong to this run any more: it was cancelled, replaced or taken back. Return."
        }
    }
}

extension CheckpointError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}
