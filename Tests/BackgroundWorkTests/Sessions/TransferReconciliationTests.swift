import BackgroundWorkModel
import BackgroundWorkTesting
import BackgroundWorkTransfers
import Foundation
import TestSupport
import Testing

@testable import BackgroundWork

/// What is repaired when work store, state file and daemon do not agree.
struct TransferReconciliationTests {
    let stage: SessionStage

    init() throws { stage = try SessionStage() }

    private func reconnect() async {
        stage.daemon.loseConnection()
        await stage.daemon.restoreConnection()
    }

    @Test("what agrees is not changed, and nothing is reported")
    func agreement() async throws {
        let scheduler = try await stage.start()
        try await stage.handOff("film", on: scheduler)
        await reconnect()
        #expect(scheduler.backgroundSessions.reconciliations == [])
        #expect(try await stage.entries(of: scheduler) == ["film"])
        #expect(stage.daemon.transfers.count == 1)
        await scheduler.shutdown()
    }

    @Test("an entry that is lost is written again for a transfer that work waits for")
    func rebuilt() async throws {
        let scheduler = try await stage.start()
        try await stage.handOff("film", session: "s", on: scheduler)
        let before = try #require(try await scheduler.stateStore.loadEntries().first)
        try await scheduler.stateStore.remove(session: "s", task: before.taskIdentifier)
        await reconnect()
        let after = try #require(try await scheduler.stateStore.loadEntries().first)
        #expect(after.reference == before.reference)
        #expect(after.savePath == before.savePath)
        #expect(after.workerName == before.workerName)
        let report = try #require(scheduler.backgroundSessions.reconciliations.last)
        #expect(report.entriesRebuilt.map(\.workID) == ["film"])
        #expect(report.description == "1 entry rebuilt (film#1)")
        #expect(scheduler.recentNotices.contains { $0.kind == .transfersReconciled })
        await scheduler.shutdown()
    }

    @Test("a transfer whose work is gone, has finished or has gone on is cancelled")
    func cancelled() async throws {
        let scheduler = try await stage.start()
        try await stage.handOff("kept", on: scheduler)
        let store = scheduler.store.identity
        let kept = try #require(try await scheduler.stateStore.loadEntries().first?.reference)
        for key in [
            TransferKey(workID: "gone", generation: 1),
            TransferKey(workID: "kept", generation: kept.key.generation + 1),
        ] {
            let reference = TransferReference(store: store, key: key)
            _ = try await stage.daemon.reserve(
                TransferSpecification(
                    reference: reference, sessionIdentifier: "s", url: "https://h/", securityPolicy: .publicInternet,
                    savePath: "/tmp/x", workerName: "BackgroundDownloadWorker"))
            try await stage.daemon.resume(reference)
        }
        // That of another store is not this one's to judge.
        _ = try await stage.daemon.reserve(
            TransferSpecification(
                reference: TransferReference(store: "another", key: TransferKey(workID: "else", generation: 1)),
                sessionIdentifier: "s", url: "https://h/", securityPolicy: .publicInternet, savePath: "/tmp/x",
                workerName: "BackgroundDownloadWorker"))
        await reconnect()
        await stage.daemon.wait { $0.map(\.workID) == ["kept", "else"] }
        let report = try #require(scheduler.backgroundSessions.reconciliations.last)
        #expect(report.transfersCancelled.map(\.workID) == ["gone", "kept"])
        #expect(try await scheduler.info(id: "kept")?.state == .handedOff)
        await scheduler.shutdown()
    }

    @Test("an entry of an earlier generation is named by it, so that it is not taken for the live one")
    func earlierGeneration() async throws {
        let scheduler = try await stage.start()
        try await stage.handOff("film", on: scheduler)
        let live = try #require(try await scheduler.stateStore.loadEntries().first?.reference)
        let old = TransferKey(workID: "film", generation: live.key.generation - 1)
        try await scheduler.stateStore.put(
            TransferEntry(
                sessionIdentifier: "s", taskIdentifier: 77, savePath: "/tmp/x", workerName: "BackgroundDownloadWorker",
                createdAt: WallTime(milliseconds: 0), reference: TransferReference(store: live.store, key: old)))
        await reconnect()
        let report = try #require(scheduler.backgroundSessions.reconciliations.last)
        #expect(report.entriesRemoved.map(\.generation) == [old.generation])
        #expect(report.description == "1 entry removed (film#\(old.generation))")
        await scheduler.shutdown()
    }

    @Test("an entry whose work is gone is removed; one whose work waits is left to the sweep")
    func entries() async throws {
        let scheduler = try await stage.start()
        try await stage.handOff("waiting", on: scheduler)
        try await scheduler.stateStore.put(
            TransferEntry(
                sessionIdentifier: "s", taskIdentifier: 77, savePath: "/tmp/x", workerName: "BackgroundDownloadWorker",
                createdAt: WallTime(milliseconds: 0),
                reference: TransferReference(
                    store: scheduler.store.identity, key: TransferKey(workID: "gone", generation: 1))))
        try await scheduler.stateStore.put(
            TransferEntry(
                sessionIdentifier: "ancestor", taskIdentifier: 78, savePath: "/tmp/x", workerName: "W",
                createdAt: WallTime(milliseconds: 0), reference: nil))
        stage.daemon.forget(workID: "waiting")
        await reconnect()
        let report = try #require(scheduler.backgroundSessions.reconciliations.last)
        #expect(report.entriesRemoved.map(\.taskIdentifier) == [77])
        #expect(report.unknownToDaemon.map(\.workID) == ["waiting"])
        #expect(try await scheduler.stateStore.loadEntries().map(\.sessionIdentifier).sorted().contains("ancestor"))
        #expect(try await stage.entries(of: scheduler) == ["waiting"])
        #expect(try await scheduler.info(id: "waiting")?.state == .handedOff)
        let sweep = try await scheduler.sweepStaleStateOnLaunch(olderThan: .seconds(Int64.min))
        #expect(sweep.dropped.map(\.workID).contains("waiting"))
        for words in [
            "2 entries found, 2 dropped, 0 old but alive", "dropped: ", "waiting#1 to ", "ancestor/78 to /tmp/x",
        ] {
            #expect(sweep.description.contains(words), "\(sweep)")
        }
        #expect(try await scheduler.info(id: "waiting")?.state == .failed)
        await scheduler.shutdown()
    }
}
