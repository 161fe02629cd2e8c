import BackgroundWorkModel
import BackgroundWorkStorage
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import BackgroundWork

/// Drives items and owners through orders of actions, and holds what the code makes of each against a model.
actor Interleaving {
    /// What an interleaving starts from.
    struct Setting: Sendable, CustomTestStringConvertible {
        var name: String
        var idempotent = [true, true]
        var owners = 2
        var slots = 1
        var limit: Int?
        /// Whether more is claimed than there are free slots for.
        var claimsAhead = false
        var before: [InterleavedAction] = []
        var actions: [InterleavedAction] = []

        var testDescription: String { name }
    }

    struct Violation: Error, CustomStringConvertible {
        var message: String
        var done: [InterleavedAction]

        var description: String { "\(message), after: " + done.map(\.description).joined(separator: "; ") }
    }

    private static let queue = "q"

    private let setting: Setting
    private let folder: String
    private let owners: [InterleavedOwner]
    private let log = Recorder<InterleavedOwner.Happening>()
    private var seen = 0
    private var made = 0
    private var model: InterleavingModel
    private var ids: [String]
    private var ends: [String: Int] = [:]
    private var done: [InterleavedAction] = []

    init(_ setting: Setting, folder: String) throws {
        let all = Mutex<[InterleavedOwner]>([])
        let bells = Bells()
        for number in 0..<setting.owners {
            let owner = try InterleavedOwner(number, folder: folder, log: log, ring: bells.ring)
            all.withLock { $0.append(owner) }
        }
        owners = all.withLock { $0 }
        bells.connect(owners)
        self.setting = setting
        self.folder = folder
        model = Self.model(setting)
        ids = []
    }

    private final class Bells: Sendable {
        private let owners = Mutex<[InterleavedOwner]>([])

        func connect(_ all: [InterleavedOwner]) { owners.withLock { $0 = all } }

        @Sendable func ring(_ lockFile: String) {
            for owner in owners.withLock({ $0 }) { owner.rung(lockFile) }
        }
    }

    private static func model(_ setting: Setting) -> InterleavingModel {
        InterleavingModel(
            idempotent: setting.idempotent, owners: setting.owners, slots: setting.slots, limit: setting.limit)
    }

    // MARK: Orders

    /// Does what an order says as far as it is possible, and then lets all work end. Returns what was possible.
    func drive(_ order: [InterleavedAction]) async throws -> [InterleavedAction] {
        try await begin()
        for action in setting.before { try await take(action) }
        var possible: [InterleavedAction] = []
        for action in order where model.isPossible(action) {
            try await take(action)
            possible.append(action)
        }
        try await finish()
        return possible
    }

    /// Takes `count` actions by chance; items that have ended are followed by new ones.
    func wander(_ count: Int, _ generator: inout SeededGenerator) async throws {
        try await begin()
        for _ in 0..<count {
            for item in model.items.indices where model.items[item].hasEnded && model.items[item].hand == nil {
                model.items[item] = .init(isIdempotent: setting.idempotent[item])
                ids[item] = newID()
            }
            let possible = all().filter(model.isPossible)
            guard let action = possible.randomElement(using: &generator) else { continue }
            let isLast = model.lives.count { $0 == .alive } == 1
            switch action {
            case .stop, .die: if isLast || Int.random(in: 0..<8, using: &generator) > 0 { continue }
            default: break
            }
            try await take(action)
        }
        try await finish()
    }

    private func all() -> [InterleavedAction] {
        var all: [InterleavedAction] = []
        for owner in owners.indices {
            all += [.look(owner), .readNews(owner), .readNews(owner), .pause(by: owner), .resume(by: owner)]
            all += [.stop(owner), .release(owner), .die(owner)]
            all += owners.indices.map { .reclaim(owner, by: $0) }
            for item in model.items.indices {
                all += [.enqueue(item, by: owner), .enqueue(item, by: owner), .enqueueAndCancel(item, by: owner)]
                all += [.cancel(item, by: owner), .finish(item), .finish(item)]
            }
        }
        return all
    }

    private func newID() -> String {
        made += 1
        return "work-\(made)"
    }

    private func begin() async throws {
        model = Self.model(setting)
        ids = setting.idempotent.map { _ in newID() }
        done = []
        for owner in owners {
            try await owner.start(
                slots: setting.slots, limit: setting.limit, queue: Self.queue, claimsAhead: setting.claimsAhead)
        }
        try await rest()
        for owner in owners { try await owner.readNews() }
        try await rest()
        seen = log.values.count
    }

    /// With a running owner, all work ends by notifications alone: no polling is needed.
    private func finish() async throws {
        if let living = model.lives.firstIndex(of: .alive) {
            for owner in owners.indices {
                if model.isPossible(.release(owner)) { try await take(.release(owner)) }
                if model.isPossible(.reclaim(owner, by: living)) { try await take(.reclaim(owner, by: living)) }
            }
            if model.isPaused { try await take(.resume(by: living)) }
            for _ in 0..<4 * ids.count {
                for owner in owners.indices where owners[owner].isRung && model.lives[owner] == .alive {
                    try await take(.readNews(owner))
                }
                for item in ids.indices where model.isPossible(.finish(item)) { try await take(.finish(item)) }
            }
            if let left = model.items.firstIndex(where: { $0.place != .absent && !$0.hasEnded || $0.hand != nil }) {
                throw Violation(message: "\(left) never ended", done: done)
            }
        }
        for owner in owners { owner.end() }
        let (ids, now) = (ids, owners[0].now)
        try await owners[0].store.write { transaction in
            for id in ids { _ = try transaction.cancel(id: id, now: now) }
            for owner in try transaction.owners() { try transaction.release(owner: owner.id, begun: [], now: now) }
            _ = try transaction.resume(queue: Self.queue)
        }
    }

    // MARK: Actions

    private func take(_ action: InterleavedAction) async throws {
        done.append(action)
        model.apply(action)
        try await perform(action)
        try await rest()
        try absorb()
        // A runner at rest may still be on its way from one item to the next.
        for _ in 0..<5 {
            if try await complaint() == nil { return }
            try await Task.sleep(for: .milliseconds(10))
            try await rest()
            try absorb()
        }
        if let complaint = try await complaint() { throw Violation(message: complaint, done: done) }
    }

    private func perform(_ action: InterleavedAction) async throws {
        let now = owners[0].now
        switch action {
        case .enqueue(let item, let owner):
            let (id, request) = (ids[item], request(item))
            _ = try await owners[owner].store.write { try $0.enqueue(TaskSubmission(request), id: id, now: now) }
        case .enqueueAndCancel(let item, let owner):
            let (id, request) = (ids[item], request(item))
            _ = try await owners[owner].store.write { transaction in
                _ = try transaction.enqueue(TaskSubmission(request), id: id, now: now)
                return try transaction.cancel(id: id, now: now)
            }
        case .cancel(let item, let owner):
            let id = ids[item]
            _ = try await owners[owner].store.write { try $0.cancel(id: id, now: now) }
        case .finish(let item): for owner in owners { owner.life?.runs.open(ids[item]) }
        case .look(let owner): owners[owner].life?.runner.wake()
        case .readNews(let owner): try await owners[owner].readNews()
        case .pause(let owner):
            _ = try await owners[owner].store.write { try $0.pause(queue: Self.queue, now: now) }
        case .resume(let owner): _ = try await owners[owner].store.write { try $0.resume(queue: Self.queue) }
        case .stop(let owner): await owners[owner].stop()
        case .release(let owner): try await owners[owner].release()
        case .die(let owner): owners[owner].die()
        case .reclaim(let owner, let other): try await owners[other].reclaim(from: owners[owner])
        }
    }

    private func request(_ item: Int) -> TaskRequest {
        TaskRequest(workerClassName: "W", isIdempotent: setting.idempotent[item], queue: Self.queue)
    }

    // MARK: Comparison

    private func rest() async throws {
        let deadline = ContinuousClock.now.advanced(by: .seconds(60))
        var looks = 0
        while !owners.allSatisfy(\.isAtRest) {
            if ContinuousClock.now > deadline { throw Violation(message: "a runner never came to rest", done: done) }
            looks += 1
            // Mostly it is a matter of a few turns; longer than that it must not keep the pool's threads from others.
            if looks < 10 { await Task.yield() } else { try await Task.sleep(for: .milliseconds(1)) }
        }
    }

    /// Follows what the runners have done by themselves since the last time.
    private func absorb() throws {
        let values = log.values
        for happening in values[seen...] {
            var complaint: String?
            switch happening {
            case .claimed(let claimed, let owner):
                for item in claimed.compactMap(ids.firstIndex(of:)) {
                    complaint = complaint ?? model.claim(item, by: owner)
                }
            case .begun(let id, let owner): complaint = ids.firstIndex(of: id).flatMap { model.begin($0, by: owner) }
            case .ended(let id): ends[id, default: 0] += 1
            }
            if let complaint { throw Violation(message: complaint, done: done) }
        }
        seen = values.count
    }

    /// What does not agree with the model.
    private func complaint() async throws -> String? {
        let ids = ids
        let (records, hasWorkWithoutOwner) = try await owners[0].store.read { snapshot in
            (try ids.map { try snapshot.record(id: $0) }, try snapshot.hasWorkWithoutOwner())
        }
        if hasWorkWithoutOwner { return "there is work of nobody" }
        for (item, record) in records.enumerated() {
            let expected = model.items[item]
            let place = place(of: record)
            if place != expected.place { return "\(item) is \(place) rather than \(expected.place)" }
            let events = ends[ids[item]] ?? 0
            if events != expected.events { return "\(item) has \(events) events rather than \(expected.events)" }
        }
        for (number, owner) in owners.enumerated() {
            var hand: [String: Bool] = [:]
            for (item, id) in zip(model.items, ids) where item.hand?.owner == number { hand[id] = item.hand?.hasBegun }
            if owner.hand != hand { return "\(number) has \(owner.hand) in its hand rather than \(hand)" }
            if model.mustBegin(number), owner.life?.notes.hasUnreadStops != true, !owner.isRung {
                return "\(number) begins nothing of what it has"
            }
            if model.mustClaim(number), !owner.isRung { return "\(number) leaves work lying, and nobody tells it" }
        }
        return nil
    }

    private func place(of record: WorkRecord?) -> InterleavingModel.Place {
        guard let record else { return .absent }
        if let outcome = record.status.state.outcome { return .ended(outcome) }
        guard record.status.state == .running else { return .pending }
        return .held(by: owners.firstIndex { $0.life?.owner.id == record.owner } ?? -1)
    }
}
