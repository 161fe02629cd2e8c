import BackgroundWorkExchange
import BackgroundWorkModel
import BackgroundWorkSystem
import BackgroundWorkTransfers
import Testing

@testable import BackgroundWorkAgent

@Suite("The agent's wake timetable")
struct WakeTimetableTests {
    private let device = FakeDevice()
    private let wake: WakeDescriptor

    init() throws { wake = try WakeDescriptor() }

    private func desk(_ wakes: WakeList, now: Int64 = 100) throws -> WakeTimetable {
        try WakeTimetable(wakes: ["a": wakes], device: device, wake: wake, clock: { WallTime(milliseconds: now) })
    }

    private func request(_ earliest: Int64, _ needs: Constraints = []) -> WakeRequest {
        WakeRequest(earliest: WallTime(milliseconds: earliest), needs: needs)
    }

    /// Whether a descriptor is ready, or becomes so within `milliseconds`; -1 waits for it.
    private func isReady(_ descriptor: Int32, within milliseconds: Int32 = 0) -> Bool {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&waiting, 1, milliseconds) == 1
    }

    @Test("unmet conditions delay a due wake until they hold, and then the loop is woken")
    func needs() throws {
        let desk = try desk([request(1, .network)])
        var standing = desk.standing(connected: [])
        #expect(!standing.isDue)
        desk.arm(for: standing)
        #expect(device.watched == [.network])
        device.tell(.charging)
        #expect(isReady(wake.descriptor))
        wake.clear()
        #expect(!desk.standing(connected: []).isDue)
        device.tell([.network, .charging])
        #expect(isReady(wake.descriptor))
        standing = desk.standing(connected: [])
        #expect(standing.isDue)
    }

    @Test("the device is watched only while a launch depends on it")
    func watching() throws {
        let desk = try desk([request(1, .network), request(200, .charging)])
        #expect(device.watched.isEmpty)
        desk.arm(for: desk.standing(connected: []))
        desk.arm(for: desk.standing(connected: []))
        #expect(device.watched == [.network])
        desk.arm(for: desk.standing(connected: ["a"]))
        #expect(device.watched.isEmpty)
        desk.arm(for: desk.standing(connected: []))
        device.tell(.network)
        #expect(desk.standing(connected: []).isDue)
        // A launched host runs, or the next launch has to wait: nothing depends on the device then.
        desk.arm(for: nil)
        #expect(device.watched.isEmpty)
        // What an ended watch says late does not count.
        device.tell(.network)
        #expect(!desk.standing(connected: []).isDue)
    }

    @Test("the alarm is ready at its instant of the wall clock, and quiet when turned off")
    func alarm() throws {
        let alarm = try WakeAlarm()
        #expect(!isReady(alarm.descriptor))
        alarm.set(WallTime.now().advanced(byMs: 3_600_000))
        #expect(!isReady(alarm.descriptor))
        let soon = WallTime.now().advanced(byMs: 20)
        alarm.set(soon)
        #expect(isReady(alarm.descriptor, within: -1))
        #expect(WallTime.now() >= soon)
        alarm.clear()
        #expect(!isReady(alarm.descriptor))
        alarm.set(WallTime(milliseconds: .max))
        #expect(!isReady(alarm.descriptor))
        alarm.set(WallTime.now().advanced(byMs: -1000))
        #expect(isReady(alarm.descriptor, within: -1))
        alarm.set(nil)
        #expect(!isReady(alarm.descriptor))
    }

    @Test("a launch has succeeded when no wake of the store is overdue any longer")
    func success() throws {
        let desk = try desk([request(1), request(2, .network)])
        #expect(!desk.replace([request(1)], of: "a", forgetting: []))
        #expect(!desk.replace([request(50)], of: "a", forgetting: []))
        #expect(desk.replace([request(500)], of: "a", forgetting: []))
        #expect(!desk.replace([], of: "a", forgetting: []))
        #expect(desk.isEmpty)
    }

    @Test("a new store ends the overdue wakes of the previous one, and only those")
    func abandoned() throws {
        let desk = try desk([request(1)])
        _ = desk.standing(connected: ["b"])
        #expect(desk.storesAbandoned(for: "b") == ["a"])
        #expect(desk.storesAbandoned(for: "a") == [])
        _ = desk.standing(connected: ["a", "b"])
        #expect(desk.storesAbandoned(for: "b") == [])
        #expect(desk.replace([request(500)], of: "b", forgetting: ["a"]))
        _ = desk.standing(connected: ["c"])
        #expect(desk.storesAbandoned(for: "c") == [])
    }
}
