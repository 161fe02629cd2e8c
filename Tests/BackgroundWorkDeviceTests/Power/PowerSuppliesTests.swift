import BackgroundWorkModel
import Testing

@testable import BackgroundWorkDevice

struct PowerSuppliesTests {
    private let folder: SupplyFolder

    init() throws { folder = try SupplyFolder() }

    private var satisfied: Constraints { PowerSupplies(folder: folder.path).satisfied }

    @Test("a machine without batteries is on external power, and not low")
    func noBattery() throws {
        #expect(satisfied == [.charging, .batteryNotLow])
        #expect(PowerSupplies(folder: "/no/such/folder").satisfied == [.charging, .batteryNotLow])
        try folder.set("ucsi-source-psy", ["type": "USB", "online": "0"])
        #expect(satisfied == [.charging, .batteryNotLow])
    }

    @Test("a laptop that is unplugged is on its battery, which is low from 15 percent on")
    func discharging() throws {
        try folder.set("AC", ["type": "Mains", "online": "0"])
        try folder.set("BAT0", ["type": "Battery", "present": "1", "status": "Discharging", "capacity": "16"])
        #expect(satisfied == .batteryNotLow)
        try folder.set("BAT0", ["capacity": "15"])
        #expect(satisfied == [])
    }

    @Test("a laptop that is plugged in is on external power, even with a low battery")
    func charging() throws {
        try folder.set("AC", ["type": "Mains", "online": "1"])
        try folder.set("BAT0", ["type": "Battery", "status": "Charging", "capacity": "5"])
        #expect(satisfied == .charging)
        try folder.set("BAT0", ["status": "Not charging", "capacity": "80"])
        #expect(satisfied == [.charging, .batteryNotLow])
    }

    @Test("power over USB is external power, whichever kind", arguments: ["USB", "USB_C", "USB_PD", "USB_DCP"])
    func usb(type: String) throws {
        try folder.set("AC", ["type": "Mains", "online": "0"])
        try folder.set("usb", ["type": type, "online": "1"])
        try folder.set("BAT0", ["type": "Battery", "status": "Discharging", "capacity": "90"])
        #expect(satisfied == [.charging, .batteryNotLow])
    }

    @Test("without an adapter that reports, the battery decides", arguments: ["Charging", "Full", "Not charging"])
    func batteryAlone(status: String) throws {
        try folder.set("BAT0", ["type": "Battery", "status": status, "capacity": "100"])
        #expect(satisfied == [.charging, .batteryNotLow])
    }

    @Test("a full battery beside an adapter that gives nothing has just been unplugged")
    func justUnplugged() throws {
        try folder.set("AC", ["type": "Mains", "online": "0"])
        try folder.set("BAT0", ["type": "Battery", "status": "Full", "capacity": "100"])
        #expect(satisfied == .batteryNotLow)
    }

    @Test("of two batteries the one that is emptied decides about power, and the fuller one about being low")
    func twoBatteries() throws {
        try folder.set("BAT0", ["type": "Battery", "status": "Full", "capacity": "100"])
        try folder.set("BAT1", ["type": "Battery", "status": "Discharging", "capacity": "3"])
        #expect(satisfied == .batteryNotLow)
        try folder.set("BAT0", ["capacity": "10"])
        #expect(satisfied == [])
    }

    @Test("the battery of a mouse is not this machine's, and neither is an empty slot")
    func peripherals() throws {
        try folder.set(
            "hidpp_battery_0", ["type": "Battery", "scope": "Device", "status": "Discharging", "capacity": "2"])
        try folder.set("BAT1", ["type": "Battery", "present": "0", "status": "Unknown"])
        #expect(satisfied == [.charging, .batteryNotLow])
    }

    @Test("a battery that only reports a level is judged by it", arguments: ["Low", "Critical"])
    func level(word: String) throws {
        try folder.set("BAT0", ["type": "Battery", "status": "Charging", "capacity_level": word])
        #expect(satisfied == .charging)
        try folder.set("BAT0", ["capacity_level": "Normal"])
        #expect(satisfied == [.charging, .batteryNotLow])
    }

    @Test("a battery that reports nothing counts as discharging, and not low")
    func unreadable() throws {
        try folder.set("BAT0", ["type": "Battery", "status": nil, "capacity": nil, "capacity_level": "Unknown"])
        try folder.set("AC", ["type": "Mains", "online": nil])
        try folder.set("odd", ["type": nil])
        #expect(satisfied == .batteryNotLow)
        try folder.set("BAT0", ["type": "Battery", "capacity": nil])
        try folder.remove("AC")
        #expect(satisfied == .batteryNotLow)
    }

    @Test("text that is not a number is treated as unreadable")
    func malformed() throws {
        try folder.set("BAT0", ["type": "Battery", "status": "Charging", "capacity": "full"])
        try folder.set("AC", ["type": "Mains", "online": ""])
        #expect(satisfied == [.charging, .batteryNotLow])
    }
}
