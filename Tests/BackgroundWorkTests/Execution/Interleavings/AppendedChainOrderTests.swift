import BackgroundWorkModel
import BackgroundWorkStorage
import Foundation
import TestSupport
import Testing

@testable import BackgroundWork

/// Work that waits for the end of a chain, and cannot start since other work has the id of a member meanwhile.
@Suite(.serialized)
struct AppendedChainOrderTests {
    private enum Action: CaseIterable { case reviveOther, finishChain, finishOther, readNews, look }

    @Test("an appended chain whose id is in use never breaks the end that it waited for, in any order")
    func allOrders() async throws {
        let folder = try MemoryFolder()
        let store = try InterleavedOwner(0, folder: folder.path, log: Recorder(), ring: { _ in })
        let other = try InterleavedOwner(1, folder: folder.path, log: Recorder(), ring: { _ in })
        var orders = 0
        for order in Action.allCases.orders {
            orders += 1
            try await drive(order, "chain-\(orders)", store, other)
        }
        print("an appended chain: \(orders) orders")
    }

    private func drive(
        _ order: [Action], _ chain: String, _ owner: InterleavedOwner, _ other: InterleavedOwner
    ) async throws {
        for owner in [owner, other] {
            try await owner.start(slots: 8, limit: nil, queue: "q", claimsAhead: false)
        }
        let (now, member) = (owner.now, "\(chain)/1.0")
        let request = TaskRequest(workerClassName: "W", queue: "q")
        try await owner.store.write { transaction in
            _ = try transaction.enqueue(TaskSubmission(request), id: member, now: now)
            _ = try transaction.cancel(id: member, now: now)
            _ = try transaction.enqueue(ChainSteps([[request]]), id: chain, policy: .append, now: now)
            _ = try transaction.enqueue(ChainSteps([[request], [request]]), id: chain, policy: .append, now: now)
        }
        try await rest(owner, other)
        var (isTaken, conflicts, hasEnded) = (false, false, false)
        for action in order {
            switch action {
            case .reviveOther:
                // Once the chain has taken the id over, it is no longer that of the cancelled work.
                guard !hasEnded else { continue }
                _ = try await owner.store.write { try $0.revive(id: member, now: now) }
                isTaken = true
            case .finishOther:
                guard isTaken else { continue }
                open(member, owner, other)
                isTaken = false
            case .finishChain:
                open("\(chain)/0.0", owner, other)
                (hasEnded, conflicts) = (true, isTaken)
            case .readNews: try await other.readNews()
            case .look: other.life?.runner.wake()
            }
            try await rest(owner, other)
            let taken = isTaken
            let (first, second) = try await owner.store.read { snapshot in
                (try snapshot.record(id: "\(chain)/0.0"), try snapshot.record(id: member))
            }
            #expect(first?.status.state == (conflicts ? .succeeded : .running), "\(order)")
            #expect(first?.status.generation == second?.status.generation || !hasEnded || conflicts, "\(order)")
            #expect((second?.status.state == .running) == taken, "\(order)")
        }
        for owner in [owner, other] { owner.end() }
        try await owner.store.write { transaction in
            for id in [chain, member] { _ = try transaction.cancel(id: id, now: now) }
            for owner in try transaction.owners() { try transaction.release(owner: owner.id, begun: [], now: now) }
        }
    }

    private func open(_ id: String, _ owners: InterleavedOwner...) {
        for owner in owners { owner.life?.runs.open(id) }
    }

    private func rest(_ owners: InterleavedOwner...) async throws {
        #expect(try await comesTrue { owners.allSatisfy(\.isAtRest) })
    }
}
