import BackgroundWorkModel

extension HTTPTransport {
    /// What all requests of a transport share.
    public struct Configuration: Sendable {
        /// Where requests may lead, redirects and proxies included. Nothing in a request widens it.
        public var securityPolicy = SecurityPolicy.publicInternet
        /// How many requests are under way at the same time, at least 1; more of them wait.
        public var maximumRequests = 64
        /// The same for one scheme, host and port.
        public var maximumRequestsPerHost = 16
        /// Whether cookies that servers set are kept in memory and sent back to them.
        public var keepsCookies = false
        /// The most bytes of bodies a second, in both directions and of all requests; `nil` for no limit.
        public var bytesPerSecond: Int64?
        /// Sent unless a request has a header of its own.
        public var userAgent = "BackgroundWork/1"

        /// The defaults.
        public init() {}
    }
}
