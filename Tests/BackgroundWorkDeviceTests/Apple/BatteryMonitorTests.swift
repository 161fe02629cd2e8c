#if BACKGROUNDWORK_HAS_BATTERY_MONITORING
import BackgroundWorkFoundation
import BackgroundWorkModel
import Testing

@testable import BackgroundWorkDevice

extension AppleDeviceTests {
    /// UIDevice, whose battery the test sets.
    struct BatteryMonitorTests {
        private static let conditions: Constraints = [.charging, .batteryNotLow]
        private let device = PlatformDeviceState(directory: "/")

        private func state() async -> DeviceState { await device.state().restricted(to: Self.conditions) }

        init() async {
            DeviceShim.isLowPowerModeEnabled = false
            await Battery.set(.unplugged, level: 0.5)
        }

        @Test("the battery's state and its charge are read; monitoring is turned on for that, and stays on")
        func once() async {
            #expect(await state() == DeviceState(satisfied: .batteryNotLow))
            #expect(await Battery.isMonitored)
            await Battery.set(.charging, level: 0.1)
            #expect(await state() == DeviceState(satisfied: .charging))
            await Battery.set(.full, level: 1)
            #expect(await state() == DeviceState(satisfied: Self.conditions))
            await Battery.set(.unplugged, level: PowerStatus.lowCharge)
            #expect(await state() == DeviceState(satisfied: []))
        }

        @Test("what a simulator does not report is named, and counts as met")
        func simulator() async {
            await Battery.set(.unknown, level: -1)
            let state = await state()
            let reason = "UIDevice does not report it, as in a simulator"
            #expect(
                state
                    == DeviceState(
                        satisfied: [],
                        unreadable: [
                            ConditionFault(.charging, reason: reason), ConditionFault(.batteryNotLow, reason: reason),
                        ]))
            #expect(state.unmet(Self.conditions) == [])
        }

        @Test("changes of the state, the charge and Low Power Mode are reported, without polling")
        func changes() async {
            var changes = device.changes(of: Self.conditions).makeAsyncIterator()
            func next() async -> Constraints? { await changes.next()?.satisfied.intersection(Self.conditions) }
            #expect(await next() == .batteryNotLow)
            await Battery.set(.charging, level: 0.5)
            #expect(await next() == Self.conditions)
            await Battery.set(.charging, level: 0.05)
            #expect(await next() == .charging)
            await Battery.set(.unplugged, level: 0.9)
            // The state and the charge are two notifications.
            var state = await next()
            while state == [] { state = await next() }
            #expect(state == .batteryNotLow)
            DeviceShim.isLowPowerModeEnabled = true
            #expect(await next() == [])
            DeviceShim.isLowPowerModeEnabled = false
            #expect(await next() == .batteryNotLow)
        }
    }
}
#endif
