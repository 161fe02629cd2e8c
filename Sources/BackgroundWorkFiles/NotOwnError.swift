#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Something stands in a folder of the program's own that the program has not put there.
package struct NotOwnError: Error, Hashable, CustomStringConvertible {
    package let path: String
    /// What is wrong with it, as a sentence without its end.
    package let problem: String

    package init(path: String, problem: String) {
        self.path = path
        self.problem = problem
    }

    package var description: String {
        "\(path) is not used: \(problem). Move it away; what has to be there is made anew."
    }
}

extension NotOwnError: LocalizedError {
    /// The same as `description`.
    package var errorDescription: String? { description }
}
