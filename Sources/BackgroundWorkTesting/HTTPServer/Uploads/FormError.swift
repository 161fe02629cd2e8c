#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An upload has no form to read.
public enum FormError: Error, Hashable, CustomStringConvertible {
    /// The `Content-Type` is not `multipart/form-data` with a boundary.
    case notAForm(contentType: String?)
    /// The body did not arrive as a whole, or the server has not kept the whole of it.
    case notWhole(received: Int64, kept: Int)
    /// The body breaks the format's rules.
    case malformed(String)

    /// What is wrong.
    public var description: String {
        switch self {
        case .notAForm(let type): "The upload is no form: its Content-Type is \(type ?? "not given")"
        case .notWhole(let received, let kept):
            "The form is not there as a whole: \(received) bytes arrived, \(kept) of them were kept"
        case .malformed(let what): "The form is malformed: \(what)"
        }
    }
}

extension FormError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}
