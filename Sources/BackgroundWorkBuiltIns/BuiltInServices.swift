import BackgroundWorkFiles
import BackgroundWorkHTTP
import BackgroundWorkModel
import Synchronization

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

extension BuiltInServices {
    /// Runs what has these temporaries. They are recorded before, so that those of work that ends without a further run,
    /// by the death of its process for example, are removed.
    func recording<Value>(
        _ temporaries: [String], _ context: WorkerContext, _ body: () async throws -> Value
    ) async throws -> Value {
        guard let partialFiles, let key = context.handOffToken.key else { return try await body() }
        try await partialFiles.add(
            temporaries: temporaries, of: key, allowedDirectories: FileRules(securityPolicy).allowedDirectories)
        let value = try await body()
        // After an error there may be another run, or something may be left.
        await partialFiles.forget(key)
        return value
    }
}

/// The transports of a scheduler's workers, one for each policy, so that their connections are reused.
package final class SharedTransports: Sendable {
    private let transports = Mutex<[SecurityPolicy: HTTPTransport]>([:])

    package init() {}

    /// Creates it with the first request.
    func transport(for policy: SecurityPolicy) -> HTTPTransport {
        transports.withLock { transports in
            if let known = transports[policy] { return known }
            var configuration = HTTPTransport.Configuration()
            configuration.securityPolicy = policy
            let made = HTTPTransport(configuration: configuration)
            transports[policy] = made
            return made
        }
    }
}
