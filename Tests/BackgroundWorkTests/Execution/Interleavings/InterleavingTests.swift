import Foundation
import TestSupport
import Testing

@testable import BackgroundWork

/// Claims, ends, cancellations, pauses, news of other schedulers, shutdowns and deaths, in the orders in which they may
/// come.
@Suite(.serialized)
struct InterleavingTests {
    static let settings: [Interleaving.Setting] = [
        .init(
            name: "cancelled by the other owner", claimsAhead: true,
            before: [.enqueue(0, by: 0), .enqueue(1, by: 0)],
            actions: [.cancel(0, by: 1), .cancel(1, by: 1), .readNews(0), .readNews(1), .finish(0), .look(0)]),
        .init(
            name: "cancelled while it is claimed",
            actions: [
                .enqueue(0, by: 0), .enqueueAndCancel(1, by: 0), .look(1), .cancel(0, by: 0), .readNews(1), .finish(0),
            ]),
        .init(
            name: "paused by the other owner", claimsAhead: true,
            before: [.enqueue(0, by: 0), .enqueue(1, by: 0)],
            actions: [.pause(by: 1), .resume(by: 0), .readNews(0), .readNews(1), .finish(0), .cancel(1, by: 1)]),
        .init(
            name: "must not run twice, and its owner dies", idempotent: [false, true],
            actions: [.enqueue(0, by: 0), .enqueue(1, by: 1), .die(0), .reclaim(0, by: 1), .readNews(1), .finish(0)]),
        .init(
            name: "must not run twice, and is cancelled around a death", idempotent: [false, true], claimsAhead: true,
            before: [.enqueue(1, by: 0), .enqueue(0, by: 0)],
            actions: [.finish(1), .cancel(0, by: 1), .die(0), .reclaim(0, by: 1), .readNews(1), .look(0)]),
        .init(
            name: "a limit of one", slots: 2, limit: 1,
            actions: [
                .enqueue(0, by: 0), .enqueue(1, by: 0), .finish(0), .readNews(1), .cancel(0, by: 1), .look(0),
            ]),
        .init(
            name: "a limit of one and a pause", slots: 2, limit: 1,
            before: [.enqueue(0, by: 0), .enqueue(1, by: 1)],
            actions: [.finish(0), .finish(1), .pause(by: 0), .resume(by: 1), .readNews(0), .readNews(1)]),
        .init(
            name: "shut down while the other one cancels", claimsAhead: true,
            before: [.enqueue(0, by: 0), .enqueue(1, by: 0)],
            actions: [.stop(0), .release(0), .cancel(1, by: 1), .readNews(1), .finish(0), .readNews(0)]),
        .init(
            name: "shut down in a pause", idempotent: [false, true], claimsAhead: true,
            before: [.enqueue(1, by: 0), .enqueue(0, by: 0)],
            actions: [.stop(0), .release(0), .pause(by: 1), .resume(by: 1), .readNews(1), .finish(1)]),
        .init(
            name: "shut down under a limit of one", slots: 2, limit: 1,
            before: [.enqueue(0, by: 0), .enqueue(1, by: 1)],
            actions: [.stop(0), .release(0), .finish(0), .readNews(1), .cancel(0, by: 1), .look(1)]),
    ]

    @Test("every order of six actions on two items and two owners ends in a valid state", arguments: settings)
    func allOrders(_ setting: Interleaving.Setting) async throws {
        let folder = try MemoryFolder()
        let interleaving = try Interleaving(setting, folder: folder.path)
        var seen = SeenOrders()
        let orders = setting.actions.orders
        for order in orders where !seen.contains(order) { seen.add(order, done: try await interleaving.drive(order)) }
        print("\(setting.name): \(orders.count) orders, \(seen.count) that differ in what was possible")
    }

    @Test("an owner whose queue was emptied by a change claims the waiting work")
    func roomByNews() async throws {
        let setting = Interleaving.Setting(name: "room by the news", idempotent: [true, true, true])
        let folder = try MemoryFolder()
        let interleaving = try Interleaving(setting, folder: folder.path)
        // The room was asked for before the stops were read, and they have made more of it.
        _ = try await interleaving.drive([
            .enqueue(0, by: 1), .enqueue(1, by: 1), .pause(by: 1), .resume(by: 1), .enqueue(2, by: 0),
            .cancel(2, by: 1), .readNews(0),
        ])
    }

    @Test("long random runs with five items and three owners end in a valid state", arguments: 0..<4)
    func randomRuns(_ kind: Int) async throws {
        let setting = Interleaving.Setting(
            name: "random", idempotent: [true, false, true, false, true], owners: 3, slots: 1 + kind % 2,
            limit: kind == 3 ? 1 : kind == 2 ? 2 : nil, claimsAhead: kind != 3)
        let folder = try MemoryFolder()
        let interleaving = try Interleaving(setting, folder: folder.path)
        for run in 0..<10 {
            let seed = UInt64(1000 * kind + run)
            var generator = SeededGenerator(seed: seed)
            do {
                try await interleaving.wander(100, &generator)
            } catch {
                Issue.record("seed \(seed): \(error)")
                return
            }
        }
    }
}
