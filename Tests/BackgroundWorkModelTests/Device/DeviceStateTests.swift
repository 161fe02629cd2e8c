import BackgroundWorkModel
import Testing

struct DeviceStateTests {
    private let state = DeviceState(
        satisfied: .network, unreadable: [ConditionFault([.charging, .batteryNotLow], reason: "no driver")],
        unwatched: [ConditionFault(.network, reason: "no socket")])

    @Test("a condition that cannot be read is not met, and counts as met")
    func unreadable() {
        #expect(!state.satisfied.contains(.charging))
        #expect(state.unmet([.network, .charging, .batteryNotLow, .deviceIdle]) == .deviceIdle)
    }

    @Test("restricted to some conditions, it says nothing of others")
    func restricted() {
        #expect(
            state.restricted(to: [.charging, .deviceIdle])
                == DeviceState(satisfied: [], unreadable: [ConditionFault(.charging, reason: "no driver")]))
        #expect(state.restricted(to: .network).unwatched == state.unwatched)
        #expect(state.restricted(to: .storageNotLow) == DeviceState(satisfied: []))
    }

    @Test("two states join to what both say")
    func union() {
        var joined = state
        joined.formUnion(.unreadable(.deviceIdle, because: "no meter"))
        #expect(joined.satisfied == .network)
        #expect(joined.unreadable == state.unreadable + [ConditionFault(.deviceIdle, reason: "no meter")])
        #expect(joined.unwatched == state.unwatched)
    }
}
