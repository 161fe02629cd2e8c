#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Inputs that were to be merged by key are not all JSON objects.
package struct InputMergeError: Error, Hashable, CustomStringConvertible {
    package enum Part: Sendable, Hashable {
        case input
        /// Counted from 0, in the order of the step's requests.
        case output(Int)
    }

    package var part: Part

    package var description: String {
        let part =
            switch part {
            case .input: "its own input"
            case .output(let index): "output \(index) of the step before"
            }
        return "the inputs cannot be merged, since \(part) is no JSON object; leave inputMerge out, or give objects"
    }
}

extension InputMergeError: LocalizedError {
    /// The same as `description`.
    package var errorDescription: String? { description }
}
