import BackgroundWorkModel
import Synchronization
import TestSupport
import Testing

@testable import BackgroundWorkDevice

/// The sources of a real machine, with timers and values that the test sets.
@Suite(.timeLimit(.minutes(5)))
struct DeviceWatchIntervalTests {
    private let timers = HandTimers()
    private let folder: SupplyFolder
    private let space = Dial(.storageNotLow, satisfied: .storageNotLow)
    private let device: PlatformDeviceState

    init() throws {
        folder = try SupplyFolder()
        let enough = VolumeSpace(size: 1000, available: 1000)
        let little = VolumeSpace(size: 1000, available: 0)
        device = PlatformDeviceState(sources: [
            PowerCondition(
                folder: folder.path, timers: timers,
                open: { (_, _) throws(NetlinkError) in throw NetlinkError("opening a netlink socket", code: 1) }),
            StorageCondition(
                directory: "/", timers: timers,
                space: { [space] _ in space.current.state.satisfied.isEmpty ? little : enough }),
            IdleCondition(timers: timers, load: { MachineLoad(average: 0, own: $0, cores: 1) }),
            NetworkCondition(),
        ])
    }

    private func settle() { device.executor.queue.sync {} }

    @Test("nothing is polled while there is no subscriber")
    func noTimers() {
        _ = device.read()
        #expect(timers.periods == [])
        let network = device.watch(.network) { _ in }
        settle()
        #expect(timers.periods == [])
        let storage = device.watch(.storageNotLow) { _ in }
        settle()
        #expect(timers.periods == [30])
        let all = device.watch(.all) { _ in }
        settle()
        #expect(timers.periods == [30, 30, 60])
        storage.cancel()
        all.cancel()
        network.cancel()
        settle()
        #expect(timers.periods == [])
    }

    @Test("storage that fills up is found at the next check")
    func storage() {
        let heard = Recorder<Constraints>()
        let watch = device.watch(.storageNotLow) { heard.add($0.satisfied) }
        settle()
        space.turn(to: [])
        #expect(heard.values.map { $0.contains(.storageNotLow) } == [true])
        timers.fireAll()
        settle()
        timers.fireAll()
        settle()
        #expect(heard.values.map { $0.contains(.storageNotLow) } == [true, false])
        watch.cancel()
    }

    @Test("where the kernel's announcements may not be heard, power is found at the next look, and the state says so")
    func power() throws {
        let heard = Recorder<Constraints>()
        let watch = device.watch(.charging) { heard.add($0.satisfied) }
        settle()
        #expect(
            device.read().unwatched == [
                ConditionFault(
                    .charging,
                    reason: "changes are detected within 60 s, not at once: "
                        + "opening a netlink socket: Operation not permitted")
            ])
        try folder.set("BAT0", ["type": "Battery", "status": "Discharging", "capacity": "50"])
        timers.fireAll()
        settle()
        #expect(heard.values.map { $0.contains(.charging) } == [true, false])
        watch.cancel()
    }
}
