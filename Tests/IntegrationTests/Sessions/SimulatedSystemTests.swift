import BackgroundWork
import BackgroundWorkSessionTesting
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

/// An app in a process of its own that a simulated system launches, gives time, suspends and ends.
@Suite(.serialized, .fewAtATime)
struct SimulatedSystemTests {
    static let content = SessionTests.content

    @Test(
        "work of 20 seconds is done in windows of 5, each step once, whether the app is ended between them or not",
        arguments: [false, true])
    func windows(isEnded: Bool) async throws {
        let stage = try SystemPlace { _ in ["--work", "long", "20"] }
        await stage.system.open()
        try await stage.wait(forSteps: 1)
        await stage.system.close()
        #expect(try await stage.system.suspend() == .suspended)
        var windows = 0
        var count = stage.steps.count
        var isDone = false
        while !isDone {
            if isEnded { await stage.end() }
            let window = await stage.system.run("app.refresh", limit: .seconds(30))
            windows += 1
            count = min(20, count + 5)
            try await stage.wait(forSteps: count)
            // The last step's end needs no more time.
            if count < 20 { await stage.system.expire(window) }
            isDone = await stage.system.completion(of: window)
            if !isDone {
                // Asks for the next one before it ends this one.
                await stage.system.wait(untilPending: { $0.keys.sorted() == ["app.refresh"] })
            }
            count = stage.steps.count
            #expect(try await stage.system.suspend() == .suspended)
            #expect(windows < 30)
        }
        #expect(stage.steps == (1...20).map { "long \($0)" })
        await stage.system.proceed()
        try await stage.place.wait(for: "the event") { !stage.said("event").isEmpty }
        #expect(stage.said("event") == ["event long succeeded 1 "])
        #expect(stage.launches == (isEnded ? windows + 1 : 1))
    }

    @Test("a window that expires in the middle of a chain leaves the rest for the next one")
    func chain() async throws {
        let stage = try SystemPlace { _ in ["--chain", "c", "4"] }
        let first = await stage.system.run("app.refresh")
        try await stage.wait(forSteps: 6)
        await stage.system.expire(first)
        #expect(await stage.system.completion(of: first) == false)
        await stage.end()
        let second = await stage.system.run("app.refresh")
        #expect(await stage.system.completion(of: second))
        #expect(stage.steps == (0...2).flatMap { step in (1...4).map { "c/\(step).0 \($0)" } })
        #expect(await stage.system.pending.isEmpty)
        try await stage.place.wait(for: "the events") { stage.said("event").count == 3 }
        #expect(stage.said("event") == (0...2).map { "event c/\($0).0 succeeded 1 " })
    }

    @Test("an app that holds a lock of its own when it is suspended is ended for it; its work runs once more")
    func lock() async throws {
        let stage = try SystemPlace { _ in ["--work", "long", "3", "--lock"] }
        await stage.system.open()
        try await stage.wait(forSteps: 1)
        #expect(try await stage.system.suspend() == .ended(locks: ["held"]))
        #expect(try await stage.system.suspend() == .notRunning)
        await stage.end()
        let window = await stage.system.run("app.refresh")
        #expect(await stage.system.completion(of: window))
        #expect(stage.steps == (1...3).map { "long \($0)" })
        #expect(stage.said("notice").isEmpty)
    }

    @Test(
        "an app that is ended while it is suspended is not blamed for that: its work runs again, with no death counted")
    func endedWhileSuspended() async throws {
        let stage = try SystemPlace { _ in ["--work", "long", "100000"] }
        for round in 1...6 {
            await stage.system.open()
            try await stage.wait(forSteps: round)
            #expect(try await stage.system.suspend() == .suspended)
            await stage.end()
        }
        #expect(stage.said("event").isEmpty)
        #expect(stage.said("notice").isEmpty)
    }

    @Test(
        "a download goes on while its app is suspended, and its end is told when the app goes on, or is launched for it"
    )
    func download() async throws {
        let stage = try SystemPlace { place in
            place.server.serve(.bytes(Self.content), at: "/file")
            place.server.setBehaviour(.holdAfter(bytes: SessionTests.held), for: "/file")
            return ["--download", place.server.url("/file"), place.savePath]
        }
        await stage.system.open()
        try await stage.place.wait(for: "the hand-off") { stage.place.state(of: "file") == 3 }
        #expect(try await stage.system.suspend() == .suspended)
        stage.place.server.release("/file")
        let isReceived = try await comesTrue {
            await stage.daemon.tasks(ofSession: "app").first.map { $0.receivedBytes == Int64(Self.content.count) }
                ?? true
        }
        #expect(isReceived)
        #expect(stage.said("event").isEmpty)
        await stage.end()
        // The events wait, and the daemon launches the app.
        try await stage.place.wait(for: "the event") { !stage.said("event").isEmpty }
        #expect(stage.place.hasSaved(Self.content))
        try await stage.place.wait(for: "the handler") { stage.said("handler called") == ["handler called"] }
        #expect(stage.place.server.requests.count == 1)
        #expect(stage.launches == 2)
    }

    @Test(
        "an identifier that Info.plist lacks, and requests that are refused, are notices; the work runs when the app does"
    )
    func refused() async throws {
        let stage = try SystemPlace(permitted: ["app.processing"]) { _ in ["--work", "a", "1"] }
        await stage.system.refuse(.tooManyPendingTaskRequests)
        await stage.system.open()
        try await stage.place.wait(for: "the event") { stage.said("event") == ["event a succeeded 1 "] }
        #expect(await stage.system.pending.isEmpty)
        #expect(stage.said("notice").allSatisfy { $0.contains("BGTaskSchedulerPermittedIdentifiers") })
    }

    @Test("the system takes one refresh and ten processing requests, and replaces those of the same identifier")
    func pending() async throws {
        let identifiers = (1...11).map { "p\($0)" }
        let folder = try TemporaryFolder()
        let system = try SimulatedSystem(permitted: Set(identifiers + ["r1", "r2"]), container: folder.path) { _ in }
        let app = try SimulatedSystemConnection(socketPath: system.socketPath)
        for identifier in identifiers.dropLast() + ["p1", "p2"] {
            try await app.submit(LaunchRequest(identifier: identifier, kind: .processing, earliest: nil))
        }
        await #expect(throws: LaunchRequestError.tooManyPending) {
            try await app.submit(LaunchRequest(identifier: "p11", kind: .processing, earliest: nil))
        }
        try await app.submit(LaunchRequest(identifier: "r1", kind: .refresh, earliest: nil))
        await #expect(throws: LaunchRequestError.tooManyPending) {
            try await app.submit(LaunchRequest(identifier: "r2", kind: .refresh, earliest: nil))
        }
        await #expect(throws: LaunchRequestError.notPermitted) {
            try await app.submit(LaunchRequest(identifier: "other", kind: .refresh, earliest: nil))
        }
        await app.cancel("p3")
        try await app.submit(LaunchRequest(identifier: "p11", kind: .processing, earliest: nil))
        #expect(await system.pending.count == 11)
    }
}
