import BackgroundWorkModel
import Foundation
import Testing

@testable import BackgroundWork

/// A scheduler that rejects a request: the error, its text, and that nothing of it is stored.
struct EnqueueRefusal {
    let fixture: SchedulerFixture
    let scheduler: WorkScheduler
    let request = TaskRequest(workerClassName: "SyncWorker")

    init() throws {
        let fixture = try SchedulerFixture()
        self.fixture = fixture
        scheduler = try fixture.open { $0.clock = fixture.clock }
    }

    /// Expects a rejection whose description has this text, and an empty database.
    func expect(
        _ expected: EnqueueError, saying words: String..., sourceLocation: SourceLocation = #_sourceLocation,
        _ enqueue: () async throws -> ScheduleResult
    ) async throws {
        let error = await #expect(throws: EnqueueError.self, sourceLocation: sourceLocation) { try await enqueue() }
        #expect(error == expected, sourceLocation: sourceLocation)
        let description = error?.description ?? ""
        for word in words {
            #expect(description.contains(word), "\(description)", sourceLocation: sourceLocation)
        }
        let stored = try await scheduler.infos(matching: WorkQuery())
        #expect(stored.isEmpty, sourceLocation: sourceLocation)
        await scheduler.shutdown()
    }
}
