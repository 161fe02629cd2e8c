/// doc: network/nwinterface; only its types
public struct NWInterface: Sendable {
    /// doc: network/nwinterface/interfacetype
    public enum InterfaceType: Sendable {
        case other
        case wifi
        case cellular
        case wiredEthernet
        case loopback
    }
}
