import BackgroundWorkModel
import Testing

@testable import BackgroundWorkDevice

@Suite(
    .timeLimit(.minutes(5)), .serialized,
    .enabled(if: PrivateBus.isPossible, "needs dbus-daemon and libsystemd"))
struct MeteringConditionTests {
    private let bus: PrivateBus
    private let network = Dial(.network, satisfied: .network)
    private let device: PlatformDeviceState

    init() async throws {
        bus = try await PrivateBus()
        device = PlatformDeviceState(sources: [MeteringCondition(address: bus.address), DialSource(network)])
    }

    /// Why the condition cannot be read.
    private var reasons: [String] { device.read().unreadable.map(\.reason) }

    @Test(
        "a network is metered if NetworkManager knows or guesses that it is",
        arguments: [(1, true), (2, false), (3, true), (4, false)] as [(UInt32, Bool)])
    func values(value: UInt32, isMetered: Bool) async {
        let manager = await StandInNetworkManager(address: bus.address, metered: value)
        #expect(await device.state().satisfied == (isMetered ? .network : .unmeteredNetwork))
        #expect(reasons == [])
        await manager.end()
    }

    @Test("a NetworkManager that does not know whether the network is metered is named")
    func unknown() async {
        let manager = await StandInNetworkManager(address: bus.address, metered: 0)
        let state = await device.state()
        #expect(state.satisfied == .network)
        #expect(state.unmet(.unmeteredNetwork) == [])
        #expect(reasons == ["NetworkManager does not know whether the network is metered"])
        await manager.end()
    }

    @Test("each change is heard at once, and so are NetworkManager's coming and going")
    func changes() async {
        var changes = device.changes(of: .unmeteredNetwork).makeAsyncIterator()
        #expect(await changes.next()?.unmet(.unmeteredNetwork) == [])
        #expect(reasons == ["NetworkManager does not run"])
        let manager = await StandInNetworkManager(address: bus.address, metered: 1)
        #expect(await changes.next()?.satisfied == .network)
        #expect(reasons == [])
        await manager.set(2)
        #expect(await changes.next()?.satisfied == .unmeteredNetwork)
        await manager.set(3)
        #expect(await changes.next()?.satisfied == .network)
        await manager.end()
        #expect(await changes.next()?.unmet(.unmeteredNetwork) == [])
        await manager.begin()
        #expect(await changes.next()?.satisfied == .network)
    }

    @Test("a change that is announced during a read is reported nevertheless")
    func changesBesideReadings() async {
        let manager = await StandInNetworkManager(address: bus.address, metered: 2)
        var changes = device.changes(of: .unmeteredNetwork).makeAsyncIterator()
        #expect(await changes.next()?.satisfied == .unmeteredNetwork)
        for round in 0..<50 {
            async let change: Void = manager.set(round.isMultiple(of: 2) ? 1 : 2)
            _ = await device.state()
            _ = await device.state()
            await change
            #expect(await changes.next()?.satisfied == (round.isMultiple(of: 2) ? .network : .unmeteredNetwork))
        }
    }

    @Test("when the bus goes away, it cannot be read any more whether the network is metered")
    func busEnds() async {
        let manager = await StandInNetworkManager(address: bus.address, metered: 1)
        var changes = device.changes(of: .unmeteredNetwork).makeAsyncIterator()
        #expect(await changes.next()?.satisfied == .network)
        bus.stop()
        #expect(await changes.next()?.unmet(.unmeteredNetwork) == [])
        #expect(reasons.count == 1)
        #expect(reasons.first?.hasPrefix("the system's D-Bus: ") == true)
        withExtendedLifetime(manager) {}
    }

    @Test("a NetworkManager that does not answer is no longer asked")
    func silent() async {
        let manager = await StandInNetworkManager(address: bus.address, metered: StandInNetworkManager.silence)
        #expect(await device.state().unmet(.unmeteredNetwork) == [])
        #expect(reasons.count == 1)
        await manager.setSilently(1)
        #expect(await device.state() == DeviceState(satisfied: .network))
    }

    @Test("a machine without a bus does not say whether its network is metered")
    func noBus() {
        let condition = MeteringCondition(address: "unix:path=/no/such/bus")
        #expect(
            condition.read()
                == .unreadable(
                    PlatformDeviceState.unmetered, because: "the system's D-Bus: No such file or directory"))
    }
}
