import BackgroundWorkModel
import BackgroundWorkTransfers
import Testing

@testable import BackgroundWorkAgent

@Suite("Which wake is due")
struct WakeScheduleTests {
    private func wake(_ earliest: Int64, _ needs: Constraints = []) -> WakeRequest {
        WakeRequest(earliest: WallTime(milliseconds: earliest), needs: needs)
    }

    private func standing(
        _ wakes: [String: WakeList], now: Int64 = 100, holding: Constraints? = nil, connected: Set<String> = []
    ) -> WakeStanding {
        WakeSchedule(wakes: wakes).standing(
            now: WallTime(milliseconds: now), device: holding.map { DeviceState(satisfied: $0) }, connected: connected)
    }

    @Test("without wakes there is nothing to launch")
    func empty() {
        #expect(standing([:]) == WakeStanding())
        #expect(WakeSchedule(wakes: ["a": []]).isEmpty)
    }

    @Test("a wake is due from its instant on, not a millisecond before")
    func time() {
        #expect(standing(["a": [wake(101)]]) == WakeStanding(next: WallTime(milliseconds: 101)))
        #expect(standing(["a": [wake(100)]]) == WakeStanding(isDue: true))
        #expect(standing(["a": [wake(-5)]]) == WakeStanding(isDue: true))
    }

    @Test("the next instant is the earliest that is still to come, of all stores")
    func next() {
        let wakes: [String: WakeList] = ["a": [wake(300), wake(90, .network)], "b": [wake(200, .charging)]]
        #expect(standing(wakes) == WakeStanding(interest: .network, next: WallTime(milliseconds: 200)))
    }

    @Test("what a wake needs must hold, all of it, and be known to hold")
    func needs() {
        let needs: Constraints = [.unmeteredNetwork, .charging]
        let waiting = WakeStanding(interest: needs)
        #expect(standing(["a": [wake(1, needs)]]) == waiting)
        #expect(standing(["a": [wake(1, needs)]], holding: []) == waiting)
        #expect(standing(["a": [wake(1, needs)]], holding: [.network, .charging]) == waiting)
        #expect(standing(["a": [wake(1, needs)]], holding: .all).isDue)
    }

    @Test("the device matters only to wakes whose time has come, and not beside one without needs")
    func interest() {
        #expect(standing(["a": [wake(101, .network)]]).interest == [])
        #expect(standing(["a": [wake(1, .network), wake(2, .charging)]]).interest == [.network, .charging])
        #expect(standing(["a": [wake(1, .network), wake(2)]]) == WakeStanding(isDue: true))
        #expect(standing(["a": [wake(1, .network), wake(2, .charging)]], holding: .charging).isDue)
    }

    @Test("a store with a connected host needs no launch")
    func connected() {
        #expect(standing(["a": [wake(1), wake(200)]], connected: ["a"]) == WakeStanding())
        #expect(standing(["a": [wake(1)], "b": [wake(2)]], connected: ["a"]).isDue)
        #expect(standing(["a": [wake(1, .network)]], connected: ["a"]).hasOverdue == false)
    }

    @Test("a clock that is set back makes a due wake one to come")
    func clockSetBack() {
        let wakes: [String: WakeList] = ["a": [wake(100)]]
        #expect(standing(wakes, now: 100).isDue)
        #expect(standing(wakes, now: 60) == WakeStanding(next: WallTime(milliseconds: 100)))
    }

    @Test("new wakes replace the old ones of their store only")
    func replace() {
        var schedule = WakeSchedule(wakes: ["a": [wake(1)], "b": [wake(2)]])
        schedule.replace([wake(3), wake(4)], of: "a")
        #expect(schedule.wakes == ["a": [wake(3), wake(4)], "b": [wake(2)]])
        schedule.replace([], of: "b")
        schedule.replace([], of: "a")
        #expect(schedule.isEmpty)
    }

    @Test("a changed file is due at any time, and one that is not inspected yet may be")
    func files() {
        let file = FileWakeRequest(path: "/x", stamp: "1")
        let schedule = WakeSchedule(wakes: ["a": WakeList(times: [wake(200)], files: [file])])
        func standing(_ sight: FileObservation) -> WakeStanding {
            schedule.standing(now: WallTime(milliseconds: 100), device: nil, files: sight, connected: [])
        }
        #expect(standing(FileObservation(changed: [file])).reason == .changedFile)
        #expect(standing(FileObservation(changed: [file])).hasOverdue)
        #expect(standing(FileObservation(isComplete: false)).reason == nil)
        #expect(standing(FileObservation(isComplete: false)).hasOverdue)
        #expect(!standing(FileObservation()).hasOverdue)
    }

    @Test("a store is overdue by a changed file of its own, and its files matter only while it has no host")
    func filesOfStores() {
        let (x, y) = (FileWakeRequest(path: "/x", stamp: "1"), FileWakeRequest(path: "/y", stamp: "1"))
        let schedule = WakeSchedule(wakes: ["a": WakeList(files: [x]), "b": WakeList(files: [y]), "c": [wake(200)]])
        let now = WallTime(milliseconds: 100)
        #expect(schedule.overdueStores(now: now, changed: [x], connected: []) == ["a"])
        #expect(schedule.overdueStores(now: now, changed: [x], connected: ["a"]).isEmpty)
        #expect(schedule.storesWithFiles(connected: ["a"]) == ["b"])
        #expect(schedule.files(of: ["a", "b", "c"]) == [x, y])
    }
}
