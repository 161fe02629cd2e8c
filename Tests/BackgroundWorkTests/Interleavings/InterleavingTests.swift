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

    @Test("every order of six actions on two items and two owners leaves what it must", arguments: settings)
    func allOrders(_ setting: Interleaving.Setting) async throws {
        let folder = try MemoryFolder()
        let interleaving = try Interleaving(setting, folder: folder.path)
        var (orders, steps) = (0, 0)
        for order in Self.orders(of: setting.actions) {
            steps += try await interleaving.drive(order)
            orders += 1
        }
        print("\(setting.name): \(orders) orders, \(steps) actions")
    }

    private static func orders(of actions: [InterleavedAction]) -> [[InterleavedAction]] {
        if actions.isEmpty { return [[]] }
        return actions.indices.flatMap { index in
            var rest = actions
            let first = rest.remove(at: index)
            return orders(of: rest).map { [first] + $0 }
        }
    }
}
