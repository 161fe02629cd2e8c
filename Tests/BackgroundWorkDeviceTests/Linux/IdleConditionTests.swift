import BackgroundWorkModel
import Testing

@testable import BackgroundWorkDevice

struct IdleConditionTests {
    @Test("a device is idle below three tenths of each processor")
    func threshold() {
        #expect(MachineLoad(average: 0.29, own: 0, cores: 1).isIdle)
        #expect(!MachineLoad(average: 0.3, own: 0, cores: 1).isIdle)
        #expect(MachineLoad(average: 2.3, own: 0, cores: 8).isIdle)
        #expect(!MachineLoad(average: 2.5, own: 0, cores: 8).isIdle)
    }

    @Test("the load of this process itself does not end the idleness")
    func own() {
        #expect(MachineLoad(average: 2.1, own: 2, cores: 2).isIdle)
        #expect(!MachineLoad(average: 2.7, own: 2, cores: 2).isIdle)
    }

    @Test("this process's load is averaged over a minute, however far apart the looks are")
    func average() {
        var load = ProcessLoad()
        #expect(load.average(processorSeconds: 100, seconds: 1000) == 0)
        // One processor in full use, for a minute: the average is at 1 - 1/e of it, in one look or in many.
        let inOne = load.average(processorSeconds: 160, seconds: 1060)
        #expect(abs(inOne - 0.632) < 0.001)
        var often = ProcessLoad()
        let inMany = (0...60).map { often.average(processorSeconds: Double($0), seconds: Double($0)) }.last
        #expect(abs((inMany ?? 0) - inOne) < 0.000001)
        #expect(load.average(processorSeconds: 160, seconds: 2000) < 0.001)
        #expect(load.average(processorSeconds: 161, seconds: 2000) < 0.001)
    }

    @Test("a system that keeps no load average does not say whether it is idle")
    func unknown() {
        let condition = IdleCondition(timers: HandTimers(), load: { _ in nil })
        #expect(condition.read() == .unreadable(.deviceIdle, because: "the system reports no load average"))
    }

    @Test("the system tells its load and its processors")
    func real() throws {
        let load = try #require(IdleCondition.loadOfSystem(own: 0))
        #expect(load.average >= 0)
        #expect(load.cores >= 1)
    }
}
