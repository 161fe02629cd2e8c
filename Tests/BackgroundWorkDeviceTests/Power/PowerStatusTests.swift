import BackgroundWorkModel
import Testing

@testable import BackgroundWorkDevice

struct PowerStatusTests {
    private func satisfied(_ status: PowerStatus) -> Constraints {
        #expect(status.state.unreadable == [])
        return status.state.satisfied
    }

    @Test("external power and the charge are two conditions", arguments: [true, false], [true, false])
    func independent(isOnExternalPower: Bool, isBatteryLow: Bool) {
        let status = PowerStatus(isOnExternalPower: isOnExternalPower, isBatteryLow: isBatteryLow)
        #expect(satisfied(status).contains(.charging) == isOnExternalPower)
        #expect(satisfied(status).contains(.batteryNotLow) == !isBatteryLow)
    }

    @Test("in Low Power Mode a battery counts as low, whatever its charge")
    func lowPowerMode() {
        #expect(satisfied(PowerStatus(isOnExternalPower: false, isBatteryLow: false, isLowPowerMode: true)) == [])
    }

    @Test("on external power the charge alone decides")
    func lowPowerModeOnPower() {
        let charged = PowerStatus(isOnExternalPower: true, isBatteryLow: false, isLowPowerMode: true)
        #expect(satisfied(charged) == [.charging, .batteryNotLow])
        let empty = PowerStatus(isOnExternalPower: true, isBatteryLow: true, isLowPowerMode: true)
        #expect(satisfied(empty) == .charging)
    }

    @Test("what is not reported cannot be read, with the reason")
    func silent() {
        let state = PowerStatus(silence: "no driver").state
        #expect(state.satisfied == [])
        #expect(
            state.unreadable == [
                ConditionFault(.charging, reason: "no driver"), ConditionFault(.batteryNotLow, reason: "no driver"),
            ])
        let level = PowerStatus(isBatteryLow: false).state
        #expect(level.satisfied == .batteryNotLow)
        #expect(level.unreadable.map(\.conditions) == [.charging])
    }

    @Test("Low Power Mode is enough to know that the battery is not to be used")
    func silentLowPowerMode() {
        let state = PowerStatus(isLowPowerMode: true).state
        #expect(state.unreadable.map(\.conditions) == [.charging])
        #expect(state.unmet([.charging, .batteryNotLow]) == .batteryNotLow)
    }

    @Test("changes that are not reported are named")
    func unwatched() {
        let status = PowerStatus(isOnExternalPower: true, isBatteryLow: false, watchFailure: "refused")
        #expect(status.state.satisfied == [.charging, .batteryNotLow])
        #expect(
            status.state.unwatched == [
                ConditionFault([.charging, .batteryNotLow], reason: "changes are not detected: refused")
            ])
    }
}
