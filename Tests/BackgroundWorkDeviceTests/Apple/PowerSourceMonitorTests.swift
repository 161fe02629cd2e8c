#if BACKGROUNDWORK_HAS_POWER_SOURCES
import BackgroundWorkFoundation
import BackgroundWorkModel
import IOKit.ps
import IOKit.shim
import Testing
import notify

@testable import BackgroundWorkDevice

extension AppleDeviceTests {
    /// IOKit's power sources, which the test sets.
    struct PowerSourceMonitorTests {
        private static let conditions: Constraints = [.charging, .batteryNotLow]
        private let device = PlatformDeviceState(directory: "/")

        private func state() async -> DeviceState { await device.state().restricted(to: Self.conditions) }

        init() {
            DeviceShim.isLowPowerModeEnabled = false
            shim_set_power_sources(kIOPSTimeRemainingUnlimited, kIOPSLowBatteryWarningNone)
        }

        @Test("a Mac is on external power while that is unlimited, and its battery is low when the system warns")
        func once() async {
            #expect(await state() == DeviceState(satisfied: Self.conditions))
            shim_set_power_sources(kIOPSTimeRemainingUnknown, kIOPSLowBatteryWarningNone)
            #expect(await state() == DeviceState(satisfied: .batteryNotLow))
            shim_set_power_sources(1800, kIOPSLowBatteryWarningEarly)
            #expect(await state() == DeviceState(satisfied: []))
            shim_set_power_sources(300, kIOPSLowBatteryWarningFinal)
            #expect(await state() == DeviceState(satisfied: []))
        }

        @Test("changes of the source, warnings and Low Power Mode are reported, without polling")
        func changes() async {
            var changes = device.changes(of: Self.conditions).makeAsyncIterator()
            func next() async -> Constraints? { await changes.next()?.satisfied.intersection(Self.conditions) }
            #expect(await next() == Self.conditions)
            shim_set_power_sources(7200, kIOPSLowBatteryWarningNone)
            notify_post(kIOPSNotifyPowerSource)
            #expect(await next() == .batteryNotLow)
            shim_set_power_sources(600, kIOPSLowBatteryWarningEarly)
            notify_post(kIOPSNotifyLowBattery)
            #expect(await next() == [])
            shim_set_power_sources(7200, kIOPSLowBatteryWarningNone)
            notify_post(kIOPSNotifyLowBattery)
            #expect(await next() == .batteryNotLow)
            DeviceShim.isLowPowerModeEnabled = true
            #expect(await next() == [])
        }

        @Test("a notification is heard until its object is gone")
        func lifetime() throws {
            let name = "BackgroundWork.test"
            var heard: DarwinNotification? = try DarwinNotification(name, on: .main) {}
            #expect(NotifyShim.names.contains(name))
            withExtendedLifetime(heard) {}
            heard = nil
            #expect(!NotifyShim.names.contains(name))
        }

        @Test("notifications that cannot be heard are named")
        func refused() async {
            NotifyShim.refuse([kIOPSNotifyLowBattery])
            let state = await state()
            NotifyShim.refuse([])
            #expect(state.satisfied == Self.conditions)
            #expect(
                state.unwatched == [
                    ConditionFault(
                        Self.conditions,
                        reason: "changes are not detected: "
                            + "notify_register_dispatch failed for \(kIOPSNotifyLowBattery) with status 1")
                ])
        }
    }
}
#endif
