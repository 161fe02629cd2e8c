/// A scheduler could not be created from its configuration.
public enum ConfigurationError: Error, Hashable, CustomStringConvertible {
    /// The directory is no file URL.
    case directoryIsNoFile(String)
    /// The number must be at least 1.
    case notPositive(name: String, value: Int)
    /// A rate limit needs a count of at least 1 and a period above zero and of at most 100 years.
    case invalidRate(queue: String)
    /// The agent could not carry the launch command out.
    case launchCommand(reason: String)

    /// What is wrong, and what would be right.
    public var description: String {
        switch self {
        case .directoryIsNoFile(let url): "The directory must be a file URL with an absolute path, not \"\(url)\"."
        case .notPositive(let name, let value): "\(name) must be at least 1, not \(value)."
        case .invalidRate(let queue):
            "The rate limit of the queue \"\(queue)\" needs a count of at least 1 and a period above zero."
        case .launchCommand(let reason): "The launchCommand cannot be used: \(reason)."
        }
    }
}
