import BackgroundWorkModel
import TestSupport
import Testing

@testable import BackgroundWorkDevice

@Suite(.timeLimit(.minutes(5)))
struct PlatformDeviceStateTests {
    private let network = Dial(.network, satisfied: .network)
    private let metering = Dial(PlatformDeviceState.unmetered, satisfied: PlatformDeviceState.unmetered)
    private let power = Dial([.charging, .batteryNotLow], satisfied: [.charging, .batteryNotLow])
    private let idle = Dial(.deviceIdle, satisfied: [])
    private let device: PlatformDeviceState

    init() {
        device = PlatformDeviceState(sources: [
            DialSource(network), DialSource(metering), DialSource(power), DialSource(idle),
        ])
    }

    /// All work submitted to the queue has been done.
    private func settle() { device.executor.queue.sync {} }

    private func noneIsWatched(_ dials: Dial...) -> Bool { !dials.contains { $0.isWatched } }

    @Test("the state joins what the sources say, afresh each time")
    func joins() async {
        #expect(await device.state().satisfied == [.unmeteredNetwork, .charging, .batteryNotLow])
        idle.turn(to: .deviceIdle)
        power.turn(to: [])
        #expect(device.read().satisfied == [.unmeteredNetwork, .deviceIdle])
    }

    @Test("without a network none is unmetered")
    func noNetwork() async {
        network.turn(to: [])
        #expect(await device.state().unmet(.unmeteredNetwork) == .unmeteredNetwork)
    }

    @Test("a subscriber gets the state at the beginning, then each change of its conditions, and nothing else")
    func hears() {
        let heard = Recorder<Constraints>()
        let watch = device.watch([.charging, .deviceIdle]) { heard.add($0.satisfied) }
        settle()
        let first: Constraints = [.unmeteredNetwork, .charging, .batteryNotLow]
        #expect(heard.values == [first])
        power.turn(to: [.charging, .batteryNotLow])
        power.turn(to: .charging)
        settle()
        #expect(heard.values == [first])
        power.turn(to: .batteryNotLow)
        settle()
        idle.turn(to: .deviceIdle)
        settle()
        #expect(
            heard.values == [
                first, [.unmeteredNetwork, .batteryNotLow], [.unmeteredNetwork, .batteryNotLow, .deviceIdle],
            ])
        watch.cancel()
    }

    @Test("a source is watched only while it has a subscriber")
    func watchesWhatIsOfInterest() {
        settle()
        #expect(noneIsWatched(network, metering, power, idle))
        let one = device.watch(.network) { _ in }
        settle()
        #expect(network.isWatched)
        #expect(noneIsWatched(metering, power, idle))
        let two = device.watch([.network, .deviceIdle]) { _ in }
        settle()
        #expect(idle.isWatched)
        one.cancel()
        settle()
        #expect(network.isWatched)
        two.cancel()
        two.cancel()
        settle()
        #expect(noneIsWatched(network, metering, power, idle))
        #expect(network.current.begins == 1)
        #expect(network.current.ends == 1)
    }

    @Test("a released watch ends")
    func letGo() {
        var watch: DeviceWatch? = device.watch(.charging) { _ in }
        settle()
        #expect(power.isWatched)
        withExtendedLifetime(watch) {}
        watch = nil
        settle()
        #expect(!power.isWatched)
    }

    @Test("whoever wants an unmetered network hears when the network goes, and not of metering while it is gone")
    func unmetered() {
        let heard = Recorder<Constraints>()
        let beyondNetwork = PlatformDeviceState.unmetered
        let watch = device.watch(beyondNetwork) { heard.add($0.satisfied) }
        settle()
        #expect(network.isWatched && metering.isWatched)
        network.turn(to: [])
        settle()
        metering.turn(to: [])
        settle()
        network.turn(to: .network)
        settle()
        metering.turn(to: beyondNetwork)
        settle()
        #expect(
            heard.values.map { $0.intersection(.unmeteredNetwork) } == [
                .unmeteredNetwork, [], .network, .unmeteredNetwork,
            ])
        watch.cancel()
    }

    @Test("an event that does not concern the conditions reads nothing")
    func unconcerned() {
        let watch = device.watch(.charging) { _ in }
        settle()
        let reads = power.current.reads
        power.turn(to: [.charging, .batteryNotLow], waking: .events)
        settle()
        #expect(power.current.reads == reads)
        watch.cancel()
    }

    @Test("a change that another read finds before the event is reported nevertheless")
    func readingTells() {
        let heard = Recorder<Constraints>()
        let watch = device.watch(.charging) { heard.add($0.satisfied) }
        settle()
        power.change { $0.state.satisfied = [] }
        _ = device.read()
        #expect(heard.values.map { $0.contains(.charging) } == [true, false])
        watch.cancel()
    }

    @Test("a stream of changes begins with the state, continues with changes and ends the watch with itself")
    func stream() async {
        do {
            var changes = device.changes(of: .charging).makeAsyncIterator()
            #expect(await changes.next()?.satisfied.contains(.charging) == true)
            power.turn(to: [])
            #expect(await changes.next()?.satisfied.contains(.charging) == false)
            #expect(power.isWatched)
        }
        settle()
        #expect(!power.isWatched)
    }

    @Test("what cannot be read or watched is that of all sources")
    func faults() async {
        let unknown = ConditionFault(.deviceIdle, reason: "no meter")
        let late = ConditionFault(.charging, reason: "once a minute")
        idle.turn(to: DeviceState(satisfied: [], unreadable: [unknown]))
        power.turn(to: DeviceState(satisfied: .charging, unwatched: [late]))
        let state = await device.state()
        #expect(state.unreadable == [unknown])
        #expect(state.unwatched == [late])
        #expect(state.satisfied == [.unmeteredNetwork, .charging])
        #expect(state.unmet([.charging, .batteryNotLow, .deviceIdle]) == .batteryNotLow)
    }

    @Test("a subscriber hears that a condition cannot be read any longer, and why")
    func hearsOfFaults() {
        let heard = Recorder<DeviceState>()
        let watch = device.watch(.charging) { heard.add($0.restricted(to: .charging)) }
        settle()
        let fault = ConditionFault(.charging, reason: "gone")
        power.turn(to: DeviceState(satisfied: .batteryNotLow, unreadable: [fault]))
        settle()
        #expect(heard.values == [DeviceState(satisfied: .charging), DeviceState(satisfied: [], unreadable: [fault])])
        watch.cancel()
    }

    @Test("whether a network is metered does not matter while there is none")
    func unreadableMetering() async {
        metering.turn(to: DeviceState.unreadable(PlatformDeviceState.unmetered, because: "nobody knows"))
        #expect(await device.state().unmet(.unmeteredNetwork) == [])
        network.turn(to: [])
        #expect(await device.state().unmet(.unmeteredNetwork) == .unmeteredNetwork)
        #expect(await device.state().unreadable == [])
        let deaf = ConditionFault(.network, reason: "no socket")
        network.turn(to: DeviceState(satisfied: [], unwatched: [deaf]))
        #expect(await device.state().unwatched == [deaf])
    }
}
