import BackgroundWorkModel
import BackgroundWorkStorage
import BackgroundWorkTransfers
import Foundation
import TestSupport
import Testing

@testable import BackgroundWork

/// What the host stores about transfers in progress.
struct TransferProgressPublisherTests {
    private static let session = "s"
    let stage: SessionStage

    init() throws { stage = try SessionStage() }

    private func progress(_ id: String, task: Int64, _ phase: TransferPhase) -> TransferProgress {
        TransferProgress(
            workID: id, sessionIdentifier: Self.session, taskIdentifier: task, phase: phase, bytes: 1, totalBytes: 2,
            bytesPerSecond: nil)
    }

    /// A board that knows what a scheduler has handed off, and what it has told.
    private func board(
        of ids: [String], on scheduler: WorkScheduler
    ) async throws -> (board: TransferProgressPublisher, told: Recorder<TaskProgressEvent>) {
        for id in ids { try await stage.handOff(id, on: scheduler) }
        let told = Recorder<TaskProgressEvent>()
        let board = TransferProgressPublisher(store: scheduler.store, clock: QuickClock(factor: 50)) { events in
            for event in events { told.add(event) }
        }
        return (board, told)
    }

    @Test("a worker's name is kept as long as the transfer is in progress, and its end is still told by that name")
    func ends() async throws {
        let scheduler = try await stage.start()
        let ids = ["a", "b", "c"]
        let (board, told) = try await board(of: ids, on: scheduler)
        board.receive(ids.enumerated().map { progress($1, task: Int64($0), .running) })
        #expect(try await comesTrue { board.knownNames == 3 })
        board.receive([progress("a", task: 0, .succeeded), progress("b", task: 1, .failed(message: "no"))])
        #expect(try await comesTrue { board.knownNames == 1 })
        #expect(try await comesTrue { told.values.count == 5 })
        #expect(told.values.allSatisfy { $0.taskName == "BackgroundDownloadWorker" })
        board.remove(session: Self.session, task: 2)
        #expect(board.knownNames == 0)
        await scheduler.shutdown()
    }

    @Test("what the daemon does not know at a connection leaves no name")
    func connection() async throws {
        let scheduler = try await stage.start()
        let (board, _) = try await board(of: ["a"], on: scheduler)
        board.receive([progress("a", task: 1, .running)])
        #expect(try await comesTrue { board.knownNames == 1 })
        board.connected([])
        #expect(board.knownNames == 0)
        await scheduler.shutdown()
    }

    @Test("a name survives the end of an earlier transfer of the same work")
    func laterTransfer() async throws {
        let scheduler = try await stage.start()
        let (board, told) = try await board(of: ["a"], on: scheduler)
        board.receive([progress("a", task: 1, .running)])
        #expect(try await comesTrue { board.knownNames == 1 })
        board.receive([progress("a", task: 1, .failed(message: "no")), progress("a", task: 2, .running)])
        #expect(try await comesTrue { told.values.count == 3 })
        #expect(board.knownNames == 1)
        board.remove(session: Self.session, task: 1)
        #expect(board.knownNames == 1)
        await scheduler.shutdown()
    }
}
