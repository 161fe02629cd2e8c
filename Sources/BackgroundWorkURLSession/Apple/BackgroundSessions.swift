import BackgroundWorkModel
import BackgroundWorkTransfers
import Synchronization

/// The background sessions of the process
/// (https://developer.apple.com/documentation/foundation/urlsessionconfiguration/background(withidentifier:)).
package enum BackgroundSessions {
    /// Kept for ever: no session may be created twice under one identifier.
    private static let sessions = URLSessions()
    private static let adopted = Mutex<[String: URLSessionConfiguration]>([:])

    /// - Parameter connectionsPerHost: `nil` for the system's own limit.
    package static func provider(
        _ options: BackgroundSessionOptions, connectionsPerHost: Int?
    ) -> URLSessionProvider {
        URLSessionProvider(outlivesProcess: true, sessions: sessions) { identifier in
            configuration(identifier, options, connectionsPerHost: connectionsPerHost)
        }
    }

    /// The session of this identifier, if it is yet to be created, gets a host's configuration as it is now, with the
    /// options that it is then created with.
    package static func adopt(_ configuration: URLSessionConfiguration, as identifier: String) {
        guard let copy = configuration.copy() as? URLSessionConfiguration else { return }
        adopted.withLock { $0[identifier] = copy }
    }

    static func configuration(
        _ identifier: String, _ options: BackgroundSessionOptions, connectionsPerHost: Int?
    ) -> URLSessionConfiguration {
        let configuration = adopted.withLock { $0[identifier] } ?? ownConfiguration(identifier)
        configuration.sessionSendsLaunchEvents = options.sendsLaunchEvents
        configuration.isDiscretionary = options.isDiscretionary
        configuration.allowsCellularAccess = options.allowsCellularAccess
        configuration.allowsExpensiveNetworkAccess = options.allowsExpensiveNetworkAccess
        configuration.allowsConstrainedNetworkAccess = options.allowsConstrainedNetworkAccess
        configuration.timeoutIntervalForResource = options.resourceTimeout / .seconds(1)
        configuration.waitsForConnectivity = true
        configuration.sharedContainerIdentifier = options.sharedContainerIdentifier
        if let connectionsPerHost { configuration.httpMaximumConnectionsPerHost = connectionsPerHost }
        return configuration
    }

    private static func ownConfiguration(_ identifier: String) -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.background(withIdentifier: identifier)
        // A transfer has what its request says, and leaves nothing behind.
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        return configuration
    }
}
