import BackgroundWorkHTTP
import BackgroundWorkModel

/// What a built-in worker gets for a run.
package struct BuiltInServices: Sendable {
    /// The policy under which the work was accepted.
    package let securityPolicy: SecurityPolicy
    /// The scheduler's.
    package let clock: any WorkClock
    private let transports: SharedTransports

    package init(securityPolicy: SecurityPolicy, transports: SharedTransports, clock: any WorkClock) {
        self.securityPolicy = securityPolicy
        self.transports = transports
        self.clock = clock
    }

    /// The transport of the policy.
    package var transport: HTTPTransport { transports.transport(for: securityPolicy) }

    /// The time.
    package var now: WallTime { WallTime(clock.now) }
}
