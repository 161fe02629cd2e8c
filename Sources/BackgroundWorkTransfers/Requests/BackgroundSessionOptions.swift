/// What holds for all transfers of a session. On Apple's platforms these are properties of its `URLSessionConfiguration`;
/// the session is created once in a process, with the options of the first scheduler, `Downloader` or `Uploader` that
/// uses it. On Linux they hold for each transfer that is handed off under this configuration.
///
/// Properties of that class without an option here: `timeoutIntervalForRequest` is each transfer's `stallTimeout`,
/// `httpMaximumConnectionsPerHost` is ``TransferLimits/perHost``, and `waitsForConnectivity` is always on, as it is on
/// Linux: a transfer without a network waits and does not fail.
public struct BackgroundSessionOptions: Sendable, Hashable {
    /// Whether the system launches the app in the background when the transfers have ended
    /// (`sessionSendsLaunchEvents`). On Linux the launch command says so: see `launchCommand`.
    public var sendsLaunchEvents = true
    /// Whether the system chooses the time: an unmetered network, external power (`isDiscretionary`). On Linux as if each
    /// transfer asked for it.
    public var isDiscretionary = false
    /// Whether a cellular network may be used; on Linux a metered one (`allowsCellularAccess`).
    public var allowsCellularAccess = true
    /// Whether an expensive network may be used: cellular, a personal hotspot; on Linux a metered one
    /// (`allowsExpensiveNetworkAccess`).
    public var allowsExpensiveNetworkAccess = true
    /// Whether a network in Low Data Mode may be used (`allowsConstrainedNetworkAccess`). Linux knows no such mode.
    public var allowsConstrainedNetworkAccess = true
    /// The longest time that a transfer may take with all its waits (`timeoutIntervalForResource`), if it does not ask
    /// for less.
    public var resourceTimeout = Duration.seconds(30 * 86_400)
    /// The app group whose container the session's files are in (`sharedContainerIdentifier`): an app extension needs
    /// one. Without a meaning on Linux.
    public var sharedContainerIdentifier: String?

    /// The defaults.
    public init() {}
}

extension BackgroundSessionOptions {
    /// A transfer's options where no session keeps these.
    package func applied(to options: TransferOptions) -> TransferOptions {
        var options = options
        options.isDiscretionary = options.isDiscretionary || isDiscretionary
        options.allowsCellularAccess =
            options.allowsCellularAccess && allowsCellularAccess && allowsExpensiveNetworkAccess
        options.resourceTimeout = min(options.resourceTimeout, resourceTimeout)
        return options
    }
}
