/// Which network addresses transfers may dial.
///
/// It is decided when work is accepted. A request keeps the policy of the scheduler that it was enqueued on: through its
/// retries and recurrences, in all steps of its chain, and in whatever process it runs. What a worker enqueues while it
/// runs has the policy of the scheduler that runs the worker; an update brings that of the scheduler which updates. A
/// direct transfer keeps the policy of the `Downloader` or `Uploader` that began it. So a configuration that is narrower
/// later does not change what was accepted before: cancel that. Nothing in a request's input can widen it.
///
/// It is enforced on the resolved address of each connection, at the moment of dialling, redirects included; so a
/// host name that resolves to a private address is refused as well (DNS rebinding).
public enum AddressPolicy: String, Sendable, Hashable, Codable {
    /// Public addresses only: no loopback, private, link-local, shared, multicast, reserved or cloud metadata address.
    case publicInternet
    /// Any address, for servers on the local machine or network.
    case unrestricted
}
