/// Which network addresses transfers may dial.
///
/// It is enforced on the resolved address of each connection, at the moment of dialling, redirects included; so a
/// host name that resolves to a private address is refused as well (DNS rebinding).
public enum AddressPolicy: String, Sendable, Hashable, Codable {
    /// Public addresses only: no loopback, private, link-local, shared, multicast, reserved or cloud metadata address.
    case publicInternet
    /// Any address, for servers on the local machine or network.
    case unrestricted
}
