import BackgroundWorkModel
import Testing

@testable import BackgroundWorkDevice

struct MachineTests {
    @Test("this machine's own reader tells and streams the same state", .timeLimit(.minutes(5)))
    func realMachine() async {
        let reader = PlatformDeviceState(directory: "/")
        let expected = await reader.state().satisfied.subtracting(.deviceIdle)
        var changes = reader.changes(of: .all).makeAsyncIterator()
        #expect(await changes.next()?.satisfied.subtracting(.deviceIdle) == expected)
    }
}
