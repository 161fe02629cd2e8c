import BackgroundWork
import Foundation
import TestSupport
import Testing

/// Many chains in a process that dies at any moment.
@Suite(.serialized, .fewAtATime)
struct ChainDeathTests {
    @Test("100 chains of 100 steps killed at random moments resume without repeating a finished step")
    func manyDeaths() async throws {
        var random = SeededGenerator(seed: 20)
        var run = try ChainRun()
        // Each life goes beyond what the deaths before have interrupted, so that nothing meets three of them.
        for _ in 0..<14 { try await run.die(after: Int.random(in: 300...600, using: &random)) }
        try await run.finish()
        try await expectEachMemberOnce(run)
        expectNoRepetition(run)
    }

    /// Every member has succeeded, with one event, after the member before it.
    private func expectEachMemberOnce(_ run: ChainRun) async throws {
        let total = ChainRun.chains * ChainRun.steps
        let scheduler = try run.place.scheduler { $0.retainedEvents = 2 * total }
        for number in 0..<ChainRun.chains {
            let infos = try await scheduler.infos(chainID: "chain-\(number)")
            #expect(infos.count == ChainRun.steps)
            #expect(infos.allSatisfy { $0.state == .succeeded })
        }
        var steps: [String: [Int]] = [:]
        var count = 0
        for await event in try await scheduler.eventBus.events(for: "test") {
            #expect(event.outcome == .succeeded, "\(event)")
            steps[event.chainID ?? "", default: []].append(event.stepIndex)
            count += 1
            if count == total { break }
        }
        #expect(steps.count == ChainRun.chains)
        for (chain, order) in steps { #expect(order == Array(0..<ChainRun.steps), "of \(chain)") }
        #expect(run.place.events.count == total)
        await scheduler.shutdown()
    }

    /// A line more than one is of a member that was running, and had no event, at each death between the two.
    private func expectNoRepetition(_ run: ChainRun) {
        let log = run.log
        var repeated = 0
        var start = 0
        var finished: Set<String> = []
        for death in run.deaths {
            let life = log[start..<death.lines]
            #expect(Set(life).count == life.count, "a member ran twice in one process")
            #expect(finished.isDisjoint(with: life), "a finished member ran again")
            let interrupted = Set(life).subtracting(death.finished)
            #expect(interrupted.isSubset(of: death.running))
            // Each chain is at one step at a time.
            #expect(interrupted.count <= ChainRun.chains)
            repeated += interrupted.count
            finished = death.finished
            start = death.lines
        }
        let last = log[start...]
        #expect(Set(last).count == last.count)
        #expect(finished.isDisjoint(with: last), "a finished member ran again")
        #expect(Set(log).count == ChainRun.chains * ChainRun.steps)
        #expect(log.count == Set(log).count + repeated)
    }
}
