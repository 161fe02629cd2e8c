import Testing

@testable import BackgroundWorkDevice

struct DeviceEventTests {
    private func event(_ text: String) -> DeviceEvent { DeviceEvent(Array(text.utf8)) }

    @Test("an announcement about a power supply is distinguished from others")
    func subsystem() {
        let path = "/devices/LNXSYSTM:00/ACPI0003:00/power_supply/AC"
        #expect(
            event(
                "change@\(path)\0ACTION=change\0DEVPATH=\(path)\0SUBSYSTEM=power_supply\0POWER_SUPPLY_ONLINE=0\0SEQNUM=7\0"
            )
            .isAboutPowerSupply)
        #expect(!event("add@\(path)\0ACTION=add\0DEVPATH=\(path)\0SUBSYSTEM=wakeup\0").isAboutPowerSupply)
        #expect(!event("change@/x\0NAME=SUBSYSTEM=power_supply\0").isAboutPowerSupply)
        #expect(!DeviceEvent([]).isAboutPowerSupply)
        #expect(!DeviceEvent([0, 0xff, 0]).isAboutPowerSupply)
    }
}
