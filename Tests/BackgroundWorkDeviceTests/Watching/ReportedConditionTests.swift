import BackgroundWorkModel
import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import BackgroundWorkDevice

/// A condition that a test's system reports.
@Suite(.timeLimit(.minutes(5)))
struct ReportedConditionTests {
    /// A system that reports whether there is external power, to those who have asked.
    private final class System: Sendable {
        private struct State {
            var value: Bool?
            var reports: [Int: @Sendable (Bool) -> Void] = [:]
            var begins = 0
        }

        private let state = Mutex(State())

        var listeners: Int { state.withLock { $0.reports.count } }

        /// Reports to all listeners, on a thread of its own.
        func say(_ value: Bool) {
            let reports = state.withLock { state in
                state.value = value
                return state.reports.values
            }
            DispatchQueue.global().sync { for report in reports { report(value) } }
        }

        func begin(_ report: @escaping @Sendable (Bool) -> Void) -> AnyObject {
            let (number, value) = state.withLock { state in
                state.begins += 1
                state.reports[state.begins] = report
                return (state.begins, state.value)
            }
            if let value { DispatchQueue.global().async { report(value) } }
            return Listener { self.state.withLock { $0.reports[number] = nil } }
        }
    }

    private final class Listener {
        private let end: () -> Void

        init(end: @escaping () -> Void) { self.end = end }

        deinit { end() }
    }

    private let system = System()
    private let device: PlatformDeviceState

    init() { device = Self.device(system, patience: .seconds(30)) }

    private static func device(_ system: System, patience: DispatchTimeInterval) -> PlatformDeviceState {
        PlatformDeviceState(sources: [
            ReportedCondition(
                .charging, reports: system.begin, state: { DeviceState(satisfied: $0 ? .charging : []) },
                silence: "nothing was said", patience: patience)
        ])
    }

    @Test("a reading waits for the first report, and no listener remains")
    func once() async {
        system.say(true)
        #expect(await device.state() == DeviceState(satisfied: .charging))
        #expect(system.listeners == 0)
        system.say(false)
        #expect(await device.state() == DeviceState(satisfied: []))
    }

    @Test("a system that does not report in time is named")
    func silent() async {
        let device = Self.device(system, patience: .milliseconds(1))
        #expect(await device.state() == .unreadable(.charging, because: "nothing was said"))
    }

    @Test("each report reaches the subscriber, the first one as well, and the listener ends with the subscription")
    func changes() async {
        system.say(false)
        do {
            var changes = device.changes(of: .charging).makeAsyncIterator()
            #expect(await changes.next() == DeviceState(satisfied: []))
            system.say(true)
            #expect(await changes.next() == DeviceState(satisfied: .charging))
            system.say(false)
            #expect(await changes.next() == DeviceState(satisfied: []))
            #expect(system.listeners == 1)
        }
        device.executor.queue.sync {}
        #expect(system.listeners == 0)
    }

    @Test("a report that comes too late for the first reading corrects it")
    func late() async {
        let device = Self.device(system, patience: .milliseconds(1))
        var changes = device.changes(of: .charging).makeAsyncIterator()
        #expect(await changes.next() == .unreadable(.charging, because: "nothing was said"))
        system.say(true)
        #expect(await changes.next() == DeviceState(satisfied: .charging))
    }

    @Test("a report after the end of the subscription reaches nobody, and the next reading asks again")
    func ended() async {
        system.say(true)
        let heard = Recorder<DeviceState>()
        let watch = device.watch(.charging) { heard.add($0) }
        device.executor.queue.sync {}
        watch.cancel()
        device.executor.queue.sync {}
        system.say(false)
        device.executor.queue.sync {}
        #expect(heard.values == [DeviceState(satisfied: .charging)])
        #expect(await device.state() == DeviceState(satisfied: []))
    }
}
