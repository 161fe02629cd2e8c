#if os(Linux)
import BackgroundWorkModel
import Glibc

/// All the supplies of a machine, and what follows from them.
struct PowerSupplies: Equatable {
    private let adapters: [PowerSupply]
    private let batteries: [PowerSupply]

    init(_ supplies: [PowerSupply]) {
        adapters = supplies.filter { $0.kind == .external && $0.powersThisMachine }
        batteries = supplies.filter { $0.kind == .battery && $0.powersThisMachine }
    }

    /// A kernel without power supplies has no such folder.
    init(folder: String) { self.init(Self.names(in: folder).map { PowerSupply(folder: "\(folder)/\($0)") }) }

    var satisfied: Constraints {
        var satisfied: Constraints = []
        if isOnExternalPower { satisfied.insert(.charging) }
        if !isBatteryLow { satisfied.insert(.batteryNotLow) }
        return satisfied
    }

    /// An adapter that gives power decides. Without one a battery tells: of two, one is emptied while the other is
    /// "Full" or "Not charging", and just unplugged, one still says "Full"; so these words count only where neither
    /// another battery nor an adapter contradicts. One that says nothing is taken to be emptied.
    private var isOnExternalPower: Bool {
        if adapters.contains(where: { $0.isOnline == true }) || batteries.isEmpty { return true }
        let words = batteries.map(\.status)
        if words.contains("Discharging") { return false }
        if words.contains("Charging") { return true }
        if adapters.contains(where: { $0.isOnline == false }) { return false }
        return words.contains("Full") || words.contains("Not charging")
    }

    /// Every battery that says how full it is is low. Whether they are being charged does not matter: on a weak
    /// adapter the machine may still go down.
    private var isBatteryLow: Bool {
        let known = batteries.compactMap(\.isLow)
        return !known.isEmpty && known.allSatisfy(\.self)
    }

    private static func names(in folder: String) -> [String] {
        guard let listing = opendir(folder) else { return [] }
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
#endif
