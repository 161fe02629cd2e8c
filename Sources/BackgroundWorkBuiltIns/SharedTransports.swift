import BackgroundWorkHTTP
import BackgroundWorkModel
import Synchronization

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
