import BackgroundWorkHTTP
import BackgroundWorkModel

/// What a built-in worker gets for a run.
package struct BuiltInServices: Sendable {
    /// The policy under which the work was accepted.
    package let securityPolicy: SecurityPolicy
    private let transports: SharedTransports

    package init(securityPolicy: SecurityPolicy, transports: SharedTransports) {
        self.securityPolicy = securityPolicy
        self.transports = transports
    }

    /// The transport of the policy.
    package var transport: HTTPTransport { transports.transport(for: securityPolicy) }
}
