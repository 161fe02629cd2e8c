import BackgroundWorkFiles
import BackgroundWorkStorage
import Foundation
import TestSupport
import Testing

@testable import BackgroundWork

/// The name of a subscriber whose process has died.
@Suite(.fewAtATime)
struct ReclaimedSubscriberTests {
    @Test("it is free also while another process takes back the dead one's work")
    func whileReclaimed() async throws {
        let place = try Workplace()
        let scheduler = try place.scheduler { _ in }
        let process = try ChildProcess("/bin/true", [], environment: [:], log: place.folder.path + "/true.log")
        _ = await process.nextChange()
        let boot = try BootIdentifier.read()
        try await scheduler.store.write { transaction in
            let owner = try transaction.addOwner(
                lockFile: "dead.lock", processIdentifier: process.id, boot: boot)
            _ = try transaction.holdSubscriber("main", owner: owner)
        }
        let path = place.directory + "/owners/dead.lock"
        try Folder.create(place.directory + "/owners", mode: 0o700)
        var lock = try AdvisoryLock(path: path, contention: .giveUp)
        #expect(lock != nil)
        let opening = Task { _ = try await scheduler.eventBus.events(for: "main") }
        let inode = try #require(FileIdentity(path: path)?.inode)
        let isWaiting = try await comesTrue {
            try locks().split(separator: "\n")
                .contains { $0.contains("-> FLOCK") && $0.contains(":\(inode) ") }
        }
        #expect(isWaiting)
        lock = nil
        try await opening.value
        await scheduler.shutdown()
    }

    /// The system's list, to its end: a single read returns a part of it.
    private func locks() throws -> String {
        let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/locks"))
        defer { try? file.close() }
        var data = Data()
        while let part = try file.read(upToCount: 65_536), !part.isEmpty { data += part }
        return String(decoding: data, as: UTF8.self)
    }
}
