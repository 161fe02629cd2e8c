/// The background sessions of the process
/// (https://developer.apple.com/documentation/foundation/urlsessionconfiguration/background(withidentifier:)).
package enum BackgroundSessions {
    /// One for the process, since no session may be created twice under one identifier.
    package static let provider = URLSessionProvider(outlivesProcess: true, configuration: configuration)

    private static func configuration(_ identifier: String) -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.background(withIdentifier: identifier)
        configuration.sessionSendsLaunchEvents = true
        // A transfer has what its request says, and leaves nothing behind.
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        return configuration
    }
}
