import BackgroundWorkTransfers

extension BackgroundSessionOptions {
    /// What a configuration says.
    package init(_ configuration: URLSessionConfiguration) {
        self.init()
        sendsLaunchEvents = configuration.sessionSendsLaunchEvents
        isDiscretionary = configuration.isDiscretionary
        allowsCellularAccess = configuration.allowsCellularAccess
        allowsExpensiveNetworkAccess = configuration.allowsExpensiveNetworkAccess
        allowsConstrainedNetworkAccess = configuration.allowsConstrainedNetworkAccess
        resourceTimeout = Duration(clamping: configuration.timeoutIntervalForResource)
        sharedContainerIdentifier = configuration.sharedContainerIdentifier
    }
}
