import BackgroundWorkModel
import Foundation
import Testing

@testable import BackgroundWorkStorage

/// What the store promises about work that waits for a file.
struct FileWatchConformanceTests {
    private let scheduler: StoreScheduler
    private let trigger = TaskTrigger.fileChanged(path: "/f", debounce: .seconds(2))

    init() async throws { scheduler = try await StoreUnderTest().scheduler() }

    private func enqueue(_ id: String, stamp: String? = nil, queue: String = "default") async throws {
        let request = TaskRequest(workerClassName: "W", queue: queue)
        let trigger = trigger
        _ = try await scheduler.write {
            try $0.enqueue(TaskSubmission(request, trigger: trigger), id: id, fileStamp: stamp, now: .start)
        }
    }

    private func change(_ stamp: String, at now: WallTime) async throws {
        try await scheduler.write { try $0.fileChanged("/f", stamp: stamp, now: now) }
    }

    private func watched() async throws -> [WorkSnapshot.WatchedFile] {
        try await scheduler.read { try $0.watchedFiles() }
    }

    @Test("a change makes the work due after its debounce, counted from the newest change, and once for all of them")
    func due() async throws {
        try await enqueue("a", stamp: "0")
        #expect(try await scheduler.claim(at: .after(.seconds(3600))).isEmpty)
        try await change("1", at: .after(.seconds(10)))
        try await change("2", at: .after(.seconds(11)))
        #expect(try await scheduler.claim(at: .after(.milliseconds(12_999))).isEmpty)
        let work = try await scheduler.claimOne(at: .after(.seconds(13)))
        try await scheduler.end(work, .success, at: .after(.seconds(14)))
        #expect(try await scheduler.claim(at: .after(.seconds(3600))).isEmpty)
        #expect(try await watched() == [WorkSnapshot.WatchedFile(path: "/f", stamp: "2")])
    }

    @Test("a change while the work runs has it run once more")
    func whileRunning() async throws {
        try await enqueue("a", stamp: "0")
        try await change("1", at: .start)
        let work = try await scheduler.claimOne(at: .after(.seconds(2)))
        try await change("2", at: .after(.seconds(5)))
        try await scheduler.end(work, .success, at: .after(.seconds(6)))
        #expect(try await scheduler.claim(at: .after(.milliseconds(6999))).isEmpty)
        try await scheduler.end(try await scheduler.claimOne(at: .after(.seconds(7))), .success)
        #expect(try await scheduler.claim(at: .after(.seconds(3600))).isEmpty)
        #expect(try await scheduler.events().count == 2)
    }

    @Test("a first stamp is only stored, and a known one is kept")
    func firstStamp() async throws {
        try await enqueue("new")
        try await enqueue("known", stamp: "0")
        try await scheduler.write { try $0.noteStamp(of: "/f", "1") }
        #expect(Set(try await watched().map(\.stamp)) == ["0", "1"])
        #expect(try await scheduler.claim(at: .after(.seconds(3600))).isEmpty)
    }

    @Test("a file is awaited while its queue is not paused, and watched until its work has ended")
    func awaited() async throws {
        try await enqueue("a", stamp: "0", queue: "q")
        let file = WorkSnapshot.WatchedFile(path: "/f", stamp: "0")
        #expect(try await scheduler.read { try $0.awaitedFiles() } == [file])
        #expect(try await scheduler.read { try $0.awaitedFiles(onlyWorkers: ["V"]) }.isEmpty)
        try await scheduler.write { _ = try $0.pause(queue: "q", now: .start) }
        #expect(try await scheduler.read { try $0.awaitedFiles() }.isEmpty)
        #expect(try await watched() == [file])
        try await scheduler.write { _ = try $0.cancel(id: "a", now: .start) }
        #expect(scheduler.newest.watchedPathsChanged)
        #expect(try await watched().isEmpty)
    }
}
