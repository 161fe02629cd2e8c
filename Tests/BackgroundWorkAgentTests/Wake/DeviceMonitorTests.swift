import BackgroundWorkExchange
import BackgroundWorkModel
import TestSupport
import Testing

@testable import BackgroundWorkAgent

struct DeviceMonitorTests {
    @Test("what cannot be read counts as met, and the log names it once")
    func unreadable() throws {
        let device = FakeDevice()
        let lines = Recorder<String>()
        let monitor = DeviceMonitor(device: device, wake: try WakeDescriptor(), log: { lines.add($0) })
        monitor.follow([.network, .deviceIdle])
        device.tell(.unreadable([.network, .charging], because: "no socket"))
        #expect(monitor.state?.unmet([.network, .deviceIdle]) == .deviceIdle)
        device.tell(.deviceIdle)
        device.tell(.unreadable(.network, because: "no socket"))
        #expect(lines.values == ["The device: Counts as met, because it cannot be read: a network (no socket)"])
    }
}
