import BackgroundWorkModel
import Testing

struct ConstraintsTests {
    @Test("a state lists the conditions that it does not meet")
    func unmet() {
        let state = DeviceState(satisfied: [.network, .charging])
        #expect(state.unmet([.network, .charging]) == [])
        #expect(
            state.unmet([.unmeteredNetwork, .deviceIdle]).description == "a network that is not metered, an idle device"
        )
        #expect(DeviceState(satisfied: []).unmet(.unmeteredNetwork).description == "an unmetered network")
    }
}
