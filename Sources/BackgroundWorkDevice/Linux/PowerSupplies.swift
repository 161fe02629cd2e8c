import BackgroundWorkFiles
import BackgroundWorkModel
import BackgroundWorkSystem

/// All power supplies of a machine, and the conditions computed from them.
struct PowerSupplies: Equatable {
    private let adapters: [PowerSupply]
    private let batteries: [PowerSupply]

    init(_ supplies: [PowerSupply]) {
        adapters = supplies.filter { $0.kind == .external && $0.powersThisMachine }
        batteries = supplies.filter { $0.kind == .battery && $0.powersThisMachine }
    }

    init(folder: String) throws(SupplyFolderError) {
        self.init(try Self.names(in: folder).map { PowerSupply(folder: "\(folder)/\($0)") })
    }

    var state: DeviceState {
        var state = DeviceState(satisfied: [])
        state.add(.charging, isMet: isOnExternalPower, silence: "the battery does not say what it is doing")
        state.add(
            .batteryNotLow, isMet: isBatteryLow.map { !$0 }, silence: "the battery does not report its charge")
        return state
    }

    /// An adapter that supplies power decides. Without one the batteries decide: of two batteries, one is discharged
    /// while the other is "Full" or "Not charging", and just after unplugging a battery still reports "Full"; so these
    /// states count only where neither another battery nor an adapter contradicts. `nil` if none reports a state.
    private var isOnExternalPower: Bool? {
        if adapters.contains(where: { $0.isOnline == true }) || batteries.isEmpty { return true }
        let words = batteries.map(\.status)
        if words.contains("Discharging") { return false }
        if words.contains("Charging") { return true }
        if adapters.contains(where: { $0.isOnline == false }) { return false }
        return words.contains("Full") || words.contains("Not charging") ? true : nil
    }

    /// Whether every battery that reports its charge is low. Whether they are being charged does not matter: on a weak
    /// adapter the machine may still run out of power. `nil` if there are batteries and none reports it.
    private var isBatteryLow: Bool? {
        if batteries.isEmpty { return false }
        let known = batteries.compactMap(\.isLow)
        return known.isEmpty ? nil : known.allSatisfy(\.self)
    }

    private static func names(in folder: String) throws(SupplyFolderError) -> [String] {
        guard let listing = opendir(folder) else {
            let code = errno
            // A kernel without power supplies has no such folder, but its parent: otherwise sysfs is not mounted.
            if code == ENOENT, access(DurableFile.folder(of: folder), F_OK) == 0 { return [] }
            throw SupplyFolderError(folder: folder, code: code)
        }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }
}

/// The folder of the power supplies cannot be listed.
struct SupplyFolderError: Error, CustomStringConvertible {
    let folder: String
    let code: Int32

    var description: String { "\(folder) cannot be listed: \(String(cString: strerror(code)))" }
}

/// One folder of /sys/class/power_supply: an adapter, a battery. Values that the driver does not report are `nil`.
struct PowerSupply: Equatable {
    enum Kind: Equatable { case battery, external, other }

    var kind: Kind
    /// False for one in a peripheral, a mouse or a pad, and for an empty slot.
    var powersThisMachine = true
    /// Whether an adapter supplies power.
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

    /// Whether the battery is low, by its percentage or by the level that the driver reports; `nil` without either.
    var isLow: Bool? {
        if capacityLevel == "Low" || capacityLevel == "Critical" { return true }
        if let capacity { return capacity <= Self.lowPercentage }
        return capacityLevel.flatMap { ["Normal", "High", "Full"].contains($0) ? false : nil }
    }

    /// What Android and most desktops warn at.
    private static let lowPercentage = 15
}

/// A file of /sys or /proc that holds one value.
enum SmallFile {
    /// Its first line, or `nil` if there is none or it cannot be read: a device may be removed at any moment, and
    /// drivers return errors for unknown values.
    static func line(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return String(decoding: bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}
