import Dispatch
import IOKit.ps
import IOKit.shim
import Testing
import notify

struct NotifyTests {
    @Test("a notification reaches its handlers until they are canceled")
    func post() async {
        let (tokens, continuation) = AsyncStream.makeStream(of: Int32.self)
        var token: Int32 = 0
        #expect(
            notify_register_dispatch("shim.name", &token, DispatchQueue(label: "notify")) { continuation.yield($0) }
                == NOTIFY_STATUS_OK)
        notify_post("shim.other")
        notify_post("shim.name")
        var iterator = tokens.makeAsyncIterator()
        #expect(await iterator.next() == token)
        #expect(NotifyShim.names == ["shim.name"])
        #expect(notify_cancel(token) == NOTIFY_STATUS_OK)
        #expect(notify_cancel(token) == NOTIFY_STATUS_INVALID_TOKEN)
        #expect(NotifyShim.names == [])
    }

    @Test("the power sources are those that a test has set")
    func powerSources() {
        #expect(IOPSGetTimeRemainingEstimate() == kIOPSTimeRemainingUnlimited)
        shim_set_power_sources(kIOPSTimeRemainingUnknown, kIOPSLowBatteryWarningFinal)
        #expect(IOPSGetTimeRemainingEstimate() == kIOPSTimeRemainingUnknown)
        #expect(IOPSGetBatteryWarningLevel() == kIOPSLowBatteryWarningFinal)
        shim_set_power_sources(kIOPSTimeRemainingUnlimited, kIOPSLowBatteryWarningNone)
    }
}
