#if os(Linux)
/// One folder of /sys/class/power_supply: an adapter, a battery. What a driver does not say is `nil`.
struct PowerSupply: Equatable {
    enum Kind: Equatable { case battery, external, other }

    var kind: Kind
    /// False for one in a peripheral, a mouse or a pad, and for an empty slot.
    var powersThisMachine = true
    /// Whether an adapter gives power.
    var isOnline: Bool?
    var status: String?
    /// In percent.
    var capacity: Int?
    var capacityLevel: String?

    init(kind: Kind) { self.kind = kind }

    init(folder: String) {
        func value(_ name: String) -> String? { SmallFile.line("\(folder)/\(name)") }
        kind = Self.kind(of: value("type"))
        powersThisMachine = value("scope") != "Device" && value("present") != "0"
        // 2 means that the supply is programmable, and on.
        isOnline = value("online").flatMap { Int($0) }.map { $0 > 0 }
        status = value("status")
        capacity = value("capacity").flatMap { Int($0) }
        capacityLevel = value("capacity_level")
    }

    private static func kind(of type: String?) -> Kind {
        guard let type else { return .other }
        if type == "Battery" { return .battery }
        // "USB_C", "USB_PD", …: one type for each way of charging over USB.
        return type == "Mains" || type == "Wireless" || type == "BrickID" || type.hasPrefix("USB") ? .external : .other
    }

    /// Whether the battery is low, as the percentage or the driver's own word says; `nil` when it says neither.
    var isLow: Bool? {
        if capacityLevel == "Low" || capacityLevel == "Critical" { return true }
        if let capacity { return capacity <= Self.lowPercentage }
        return capacityLevel.flatMap { ["Normal", "High", "Full"].contains($0) ? false : nil }
    }

    /// What Android and most desktops warn at.
    private static let lowPercentage = 15
}
#endif
