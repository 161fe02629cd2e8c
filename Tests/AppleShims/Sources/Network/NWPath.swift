/// doc: network/nwpath; a test makes them
public struct NWPath: Equatable, Sendable {
    /// doc: network/nwpath/status-swift.enum
    public enum Status: Sendable {
        case satisfied
        case unsatisfied
        case requiresConnection
    }

    /// doc: network/nwpath/status-swift.property
    public let status: NWPath.Status
    /// doc: network/nwpath/isexpensive
    public let isExpensive: Bool
    /// doc: network/nwpath/isconstrained
    public let isConstrained: Bool
    private let interfaces: [NWInterface.InterfaceType]

    init(
        status: Status, isExpensive: Bool = false, isConstrained: Bool = false,
        interfaces: [NWInterface.InterfaceType] = []
    ) {
        self.status = status
        self.isExpensive = isExpensive
        self.isConstrained = isConstrained
        self.interfaces = interfaces
    }

    /// doc: network/nwpath/usesinterfacetype(_:)
    public func usesInterfaceType(_ type: NWInterface.InterfaceType) -> Bool { interfaces.contains(type) }
}
