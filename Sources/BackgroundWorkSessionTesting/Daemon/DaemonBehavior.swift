extension SimulatedURLSessionDaemon {
    /// How the daemon treats its apps. The defaults are the good days.
    public struct Behavior: Sendable, Hashable {
        /// In which order the tasks' waiting events are delivered to a launched app. The events of one task keep their
        /// order: its file comes before its completion.
        public enum Order: Sendable, Hashable {
            /// As they happened.
            case asHappened
            /// The newest task first.
            case reversed
            /// By this permutation: the task at each of these positions, counted from 0; what is not named follows.
            case permuted([Int])
        }

        /// The order of the tasks whose events wait. Apple's documentation promises none between tasks.
        public var order = Order.asHappened
        /// How often each waiting event is delivered. An app that was ended while it handled its events may get them
        /// again.
        public var deliveries = 1
        /// Whether events whose delegate call was begun, and ended with the process, are delivered to the next process.
        /// Otherwise they are lost, and the task is neither listed nor heard of again. Apple's documentation promises
        /// neither.
        public var repeatsInterruptedEvents = false
        /// Whether requests with `http` URLs fail with -1022, as App Transport Security does it for apps that have no
        /// exception for the host in Info.plist.
        public var refusesPlainHTTP = false
        /// Whether transfers wait, those in progress as well: the system waits for power, a network, or a better time.
        /// The app is told nothing of that.
        public var holdsTransfers = false

        /// Creates the good days.
        public init() {}
    }
}
