extension ReconnectingWebSocket {
    /// What becomes of a message that is sent while there is no connection.
    public enum SendingWhileDown: Sendable, Hashable {
        /// `send` throws an error of the kind `notConnected`.
        case refused
        /// It is kept in memory and sent, in order, when there is a connection again; `send` returns at once. Beyond the
        /// bounds it throws an error of the kind `notConnected`. What is kept is lost with the process, and when the
        /// socket ends; then the last event is an error that says how many messages that were.
        case queued(maximumMessages: Int, maximumBytes: Int)
    }

    /// How a ``ReconnectingWebSocket`` connects again.
    public struct Configuration: Sendable {
        /// The wait before the second attempt.
        public var initialDelay = Duration.milliseconds(500)
        /// By what the wait grows from attempt to attempt.
        public var multiplier = 2.0
        /// The longest wait, unless the server asks for a longer one (`Retry-After`).
        public var maximumDelay = Duration.seconds(30)
        /// The longest wait that a server can ask for (`Retry-After`).
        public var longestRetryAfter = Duration.seconds(600)
        /// How much a wait is lengthened or shortened at random, as a fraction from 0 to 1, so that the clients of a
        /// server that has restarted do not come back at the same instant.
        public var jitter = 0.5
        /// How long a connection has to hold for the waits to begin anew; one that dies sooner counts as a failed
        /// attempt.
        public var stableAfter = Duration.seconds(10)
        /// How many attempts may fail one after the other; `nil` for any number.
        public var maximumAttempts: Int?
        /// Codes of the server's close frame after which it does not come back. By default those that say that the work
        /// is done, or that the same would happen again: 1000, 1002, 1003, 1007, 1008, 1009, 1010.
        public var finalCloseCodes: Set<WebSocketCloseCode> = [
            .normal, .protocolError, .unsupportedData, .invalidData, .policyViolation, .messageTooBig,
            .missingExtension,
        ]
        /// Whether another attempt may succeed after one has failed. By default what the error says of itself, and after
        /// a 401, since the next attempt may have a fresh token.
        public var isWorthAnotherAttempt: @Sendable (any Error) -> Bool = { error in
            guard let error = error as? WebSocketError else {
                return (error as? any RetryableError)?.isRetryable ?? true
            }
            return error.isRetryable || error.rejection?.status == 401
        }
        /// How often a ping looks whether the connection still stands; `nil` for never. Proxies often end what is silent
        /// for a minute.
        public var pingInterval: Duration? = .seconds(30)
        /// How long the answer to a ping may take before the connection counts as dead. It does not while something else
        /// comes or is sent, nor while received messages wait for their reader.
        public var pingTimeout = Duration.seconds(10)
        /// What becomes of a message that is sent while there is no connection.
        public var sendingWhileDown = SendingWhileDown.refused
        /// Whether an attempt waits until the device has a network. Connections to this machine and to private addresses
        /// do not wait.
        public var waitsForConnectivity = true
        /// What says whether there is a network; `nil` for this device.
        public var device: (any DeviceStateReader)?
        /// What waits are measured by.
        public var clock: any WorkClock = SystemWorkClock()
        /// Gives a number from 0 to 1 for each wait.
        public var random: @Sendable () -> Double = { .random(in: 0...1) }

        /// The defaults.
        public init() {}
    }
}
