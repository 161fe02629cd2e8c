import BackgroundWorkHTTP
import BackgroundWorkModel

/// What a built-in worker gets for a run.
package struct BuiltInServices: Sendable {
    /// The policy under which the work was accepted.
    package let securityPolicy: SecurityPolicy
    /// The scheduler's.
    package let clock: any WorkClock
    /// The scheduler's; `nil` without one.
    let partialFiles: PartialFiles?
    /// Whether the work fails if this attempt asks for another one.
    let isLastAttempt: Bool
    private let transports: SharedTransports

    package init(
        securityPolicy: SecurityPolicy, transports: SharedTransports, clock: any WorkClock,
        partialFiles: PartialFiles? = nil, isLastAttempt: Bool = false
    ) {
        self.securityPolicy = securityPolicy
        self.transports = transports
        self.clock = clock
        self.partialFiles = partialFiles
        self.isLastAttempt = isLastAttempt
    }

    /// The transport of the policy.
    package var transport: HTTPTransport { transports.transport(for: securityPolicy) }

    /// The time.
    package var now: WallTime { WallTime(clock.now) }
}
