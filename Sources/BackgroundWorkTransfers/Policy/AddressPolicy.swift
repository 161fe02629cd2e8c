/// Which network addresses transfers may dial.
///
/// It is decided when work is accepted. A request keeps the policy of the scheduler that it was enqueued on: through its
/// retries and recurrences, in all steps of its chain, and in whatever process it runs. What a worker enqueues while it
/// runs has the policy of the scheduler that runs the worker; an update brings that of the scheduler which updates. A
/// direct transfer keeps the policy of the `Downloader` or `Uploader` that began it. So a configuration that is narrower
/// later does not change what was accepted before: cancel that. Nothing in a request's input can widen it.
///
/// It is enforced on the resolved address of each connection, at the moment of dialling, redirects included; so a
/// host name that resolves to a private address is refused as well (DNS rebinding). What is refused is not tried again.
/// An address that is written out in a request, or a name that can only be local (`localhost`, and names that end in
/// `.localhost` or `.local`), is refused before anything is dialled.
public enum AddressPolicy: String, Sendable, Hashable, Codable {
    /// Public addresses only: no loopback, private, link-local, shared, multicast, reserved or cloud metadata address.
    case publicInternet
    /// Any address, for servers on the local machine or network.
    case unrestricted
}

extension AddressPolicy {
    /// Why this policy forbids the host of a URL as it is written, in words; `nil` when only dialling can tell.
    package func complaint(about url: String) -> String? {
        guard self == .publicInternet, LiteralHost(url: url).isSurelyLocal else { return nil }
        return "it leads to \(URLAuthority(url).writtenHost.prefix(80)), " + Self.refusal
    }

    /// The rest of a sentence about an address, and what to do about it.
    package static let refusal =
        "which the transfer's address policy (public internet only) forbids. If that is meant, ask for it again with the "
        + "configuration's addressPolicy set to .unrestricted, or on the command line with --allow-private."
}
