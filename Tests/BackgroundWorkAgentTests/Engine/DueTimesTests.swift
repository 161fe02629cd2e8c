import BackgroundWorkModel
import Testing

@testable import BackgroundWorkAgent

@Suite("Due times")
struct DueTimesTests {
    private func at(_ milliseconds: Int64) -> WallTime { WallTime(milliseconds: milliseconds) }

    @Test("what is due comes out in its order, each once")
    func order() {
        var dues = DueTimes()
        for (task, due) in [(1, 50), (2, 10), (3, 30), (4, 20)] as [(Int64, Int64)] { dues.set(at(due), for: task) }
        #expect(dues.next == at(10))
        #expect(dues.take(now: at(9)) == [])
        #expect(dues.take(now: at(30)) == [2, 4, 3])
        #expect(dues.take(now: at(30)) == [])
        #expect(dues.next == at(50))
        #expect(dues.take(now: at(50)) == [1])
        #expect(dues.next == nil)
    }

    @Test("a new time replaces the old one, and a removed one does not occur")
    func replaced() {
        var dues = DueTimes()
        dues.set(at(10), for: 1)
        dues.set(at(40), for: 1)
        dues.set(at(20), for: 2)
        #expect(dues.next == at(20))
        dues.set(nil, for: 2)
        #expect(dues.next == at(40))
        dues.set(at(10), for: 1)
        #expect(dues.take(now: at(100)) == [1])
        dues.set(nil, for: 3)
        #expect(dues.next == nil)
    }

    @Test("of many changes nothing is lost, and nothing comes twice")
    func many() {
        var generator = SystemRandomNumberGenerator()
        var dues = DueTimes()
        var expected: [Int64: WallTime] = [:]
        for step in 0..<3000 {
            let task = Int64.random(in: 0..<40, using: &generator)
            if step % 5 == 0 {
                dues.set(nil, for: task)
                expected[task] = nil
            } else {
                let due = at(Int64.random(in: 0..<1000, using: &generator))
                dues.set(due, for: task)
                expected[task] = due
            }
            #expect(dues.next == expected.values.min())
            guard step % 7 == 0 else { continue }
            let now = at(Int64.random(in: 0..<1000, using: &generator))
            let due = expected.filter { $0.value <= now }
            #expect(Set(dues.take(now: now)) == Set(due.keys))
            for task in due.keys { expected[task] = nil }
        }
    }
}
