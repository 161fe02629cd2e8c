/// When the next step of a chain may begin, if a request of this one is handed off.
public enum ChainContinuation: String, Sendable, Hashable, Codable, CaseIterable {
    /// When the outcome is there and is a success: a downloaded file is in place.
    case afterTransfer
    /// As soon as it was handed off. A later failure is an event of its own, and the steps after it stand.
    case afterHandOff
}
