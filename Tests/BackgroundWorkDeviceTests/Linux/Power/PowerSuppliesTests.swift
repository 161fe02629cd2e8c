import BackgroundWorkModel
import Testing

@testable import BackgroundWorkDevice

struct PowerSuppliesTests {
    private let folder: SupplyFolder

    init() throws { folder = try SupplyFolder() }

    private var state: DeviceState {
        get throws { try PowerSupplies(folder: folder.path).state }
    }
    /// While all can be read.
    private var satisfied: Constraints {
        get throws {
            let state = try state
            #expect(state.unreadable == [])
            return state.satisfied
        }
    }

    @Test("a machine without batteries is on external power, and not low")
    func noBattery() throws {
        #expect(try satisfied == [.charging, .batteryNotLow])
        let none = "\(folder.path)/none"
        #expect(try PowerSupplies(folder: none).state == DeviceState(satisfied: [.charging, .batteryNotLow]))
        try folder.set("ucsi-source-psy", ["type": "USB", "online": "0"])
        #expect(try satisfied == [.charging, .batteryNotLow])
    }

    @Test("a laptop that is unplugged is on its battery, which is low from 15 percent on")
    func discharging() throws {
        try folder.set("AC", ["type": "Mains", "online": "0"])
        try folder.set("BAT0", ["type": "Battery", "present": "1", "status": "Discharging", "capacity": "16"])
        #expect(try satisfied == .batteryNotLow)
        try folder.set("BAT0", ["capacity": "15"])
        #expect(try satisfied == [])
    }

    @Test("a laptop that is plugged in is on external power, even with a low battery")
    func charging() throws {
        try folder.set("AC", ["type": "Mains", "online": "1"])
        try folder.set("BAT0", ["type": "Battery", "status": "Charging", "capacity": "5"])
        #expect(try satisfied == .charging)
        try folder.set("BAT0", ["status": "Not charging", "capacity": "80"])
        #expect(try satisfied == [.charging, .batteryNotLow])
    }

    @Test("power over USB is external power, whichever kind", arguments: ["USB", "USB_C", "USB_PD", "USB_DCP"])
    func usb(type: String) throws {
        try folder.set("AC", ["type": "Mains", "online": "0"])
        try folder.set("usb", ["type": type, "online": "1"])
        try folder.set("BAT0", ["type": "Battery", "status": "Discharging", "capacity": "90"])
        #expect(try satisfied == [.charging, .batteryNotLow])
    }

    @Test("without an adapter that reports, the battery decides", arguments: ["Charging", "Full", "Not charging"])
    func batteryAlone(status: String) throws {
        try folder.set("BAT0", ["type": "Battery", "status": status, "capacity": "100"])
        #expect(try satisfied == [.charging, .batteryNotLow])
    }

    @Test("a full battery beside an adapter that gives nothing has just been unplugged")
    func justUnplugged() throws {
        try folder.set("AC", ["type": "Mains", "online": "0"])
        try folder.set("BAT0", ["type": "Battery", "status": "Full", "capacity": "100"])
        #expect(try satisfied == .batteryNotLow)
    }

    @Test("of two batteries the one that is emptied decides about power, and the fuller one about being low")
    func twoBatteries() throws {
        try folder.set("BAT0", ["type": "Battery", "status": "Full", "capacity": "100"])
        try folder.set("BAT1", ["type": "Battery", "status": "Discharging", "capacity": "3"])
        #expect(try satisfied == .batteryNotLow)
        try folder.set("BAT0", ["capacity": "10"])
        #expect(try satisfied == [])
    }

    @Test("the battery of a mouse is not this machine's, and neither is an empty slot")
    func peripherals() throws {
        try folder.set(
            "hidpp_battery_0", ["type": "Battery", "scope": "Device", "status": "Discharging", "capacity": "2"])
        try folder.set("BAT1", ["type": "Battery", "present": "0", "status": "Unknown"])
        #expect(try satisfied == [.charging, .batteryNotLow])
    }

    @Test("a battery that only reports a level is judged by it", arguments: ["Low", "Critical"])
    func level(word: String) throws {
        try folder.set("BAT0", ["type": "Battery", "status": "Charging", "capacity_level": word])
        #expect(try satisfied == .charging)
        try folder.set("BAT0", ["capacity_level": "Normal"])
        #expect(try satisfied == [.charging, .batteryNotLow])
    }

    @Test("without sysfs, power cannot be read")
    func noFolders() {
        #expect(throws: SupplyFolderError.self) { try PowerSupplies(folder: "/no/such/folder") }
    }

    @Test("a battery that reports nothing is named")
    func unreadable() throws {
        let silence = DeviceState(
            satisfied: [],
            unreadable: [
                ConditionFault(.charging, reason: "the battery does not say what it is doing"),
                ConditionFault(.batteryNotLow, reason: "the battery does not report its charge"),
            ])
        try folder.set("BAT0", ["type": "Battery", "status": nil, "capacity": nil, "capacity_level": "Unknown"])
        try folder.set("AC", ["type": "Mains", "online": nil])
        try folder.set("odd", ["type": nil])
        #expect(try state == silence)
        try folder.set("BAT0", ["type": "Battery", "capacity": nil])
        try folder.remove("AC")
        #expect(try state == silence)
        try folder.set("AC", ["type": "Mains", "online": "0"])
        #expect(try state.unmet([.charging, .batteryNotLow]) == .charging)
    }

    @Test("text that is not a number is treated as unreadable")
    func malformed() throws {
        try folder.set("BAT0", ["type": "Battery", "status": "Charging", "capacity": "full"])
        try folder.set("AC", ["type": "Mains", "online": ""])
        #expect(try state.satisfied == .charging)
        #expect(try state.unreadable.map(\.conditions) == [.batteryNotLow])
    }
}
