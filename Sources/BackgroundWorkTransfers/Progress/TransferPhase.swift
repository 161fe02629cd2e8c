/// What a transfer is doing.
public enum TransferPhase: Sendable, Hashable, Codable {
    /// What a transfer may wait for.
    public enum Reason: String, Sendable, Hashable, Codable {
        /// To be started by the host that recorded it.
        case host
        /// One of the places that ``TransferLimits`` allow.
        case place
        /// Its earliest begin.
        case earliestBegin
        /// A network.
        case network
        /// A network that is not metered.
        case unmeteredNetwork
        /// External power.
        case power
        /// The daemon's next try after a failed one.
        case nextTry = "nextAttempt"
    }

    case waiting(Reason)
    case running
    case paused
    /// The bytes have come; they are being checked and made durable, or wait for a host that takes them in.
    case finishing
    case succeeded
    case failed(message: String)
}
