import BackgroundWork
import BackgroundWorkStorage
import Foundation
import TestSupport
import Testing

/// A disk on which one read fails, for each read in turn: nothing is lost, and the next launch finds all of it.
@Suite(.fewAtATime, .timeLimit(.minutes(5)))
struct ReadFaultTests {
    private let folder: TemporaryFolder
    private let directory: String
    private static let items = 20

    init() throws {
        folder = try TemporaryFolder()
        directory = folder.path + "/scheduler"
    }

    private func scheduler() throws -> WorkScheduler {
        try WorkScheduler(
            configuration: .init(directory: URL(filePath: directory)), workers: WorkerRegistry())
    }

    private func fill(_ scheduler: WorkScheduler) async throws {
        for number in 0..<Self.items {
            try await scheduler.enqueue(
                TaskRequest(workerClassName: "W", delay: .seconds(3600)), id: "\(number)")
        }
    }

    private var setAside: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []).filter { $0.contains(".corrupt-") }
    }

    /// Launches a process once for each read of the database file, and lets that read fail. Returns how many there are.
    private func launchWithFaults(_ database: String, _ launch: (FaultPoint, String) async throws -> Void) async throws
        -> Int
    {
        var number = 0
        while true {
            number += 1
            let log = folder.path + "/faults-\(number).log"
            let fault = FaultPoint(calls: ["pread"], path: database, number: number, errno: EIO)
            try await launch(fault, log)
            #expect(setAside.isEmpty, "read \(number)")
            if !FaultPoint.hasFailed(log: log) { return number - 1 }
        }
    }

    private func launchHost(_ fault: FaultPoint, _ log: String) async throws {
        let host = try ChildProcess(
            Programs.host, ["short", directory, folder.path + "/enqueued.log", "\(fault.number)", "0", "shutdown"],
            environment: fault.environment(log: log), log: folder.path + "/host.log")
        // With an error, or after its shutdown.
        _ = await host.nextChange()
    }

    @Test("one failed read at a launch does not replace a database")
    func launch() async throws {
        let first = try scheduler()
        try await fill(first)
        await first.shutdown()
        let reads = try await launchWithFaults("work.sqlite") { try await launchHost($0, $1) }
        #expect(reads > 5)
        let last = try scheduler()
        #expect(try await last.infos(matching: WorkQuery(states: [.pending])).count == Self.items)
        await last.shutdown()
    }

    @Test("one failed read does not replace a database while another process uses it")
    func besideAnother() async throws {
        let living = try scheduler()
        try await living.start()
        try await fill(living)
        let reads = try await launchWithFaults("work.sqlite") { try await launchHost($0, $1) }
        #expect(reads > 5)
        #expect(try await living.infos(matching: WorkQuery(states: [.pending])).count == Self.items)
        await living.shutdown()
    }

    @Test("a damaged database that another process uses is not renamed, and the launch fails with that reason")
    func damagedInUse() async throws {
        let living = try scheduler()
        try await living.start()
        try await fill(living)
        let path = directory + "/work.sqlite"
        // All in the database file, and nothing in its log.
        try SQLiteConnection(path: path, mode: .readWriteCreate).execute("PRAGMA wal_checkpoint(TRUNCATE)")
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        let bytes = try file.seekToEnd()
        try file.seek(toOffset: 0)
        try file.write(contentsOf: Data(repeating: 0x5a, count: Int(bytes)))
        try file.close()
        #expect {
            _ = try scheduler()
        } throws: {
            "\($0)".contains("seems damaged") && "\($0)".contains("/owners/")
        }
        #expect(setAside.isEmpty)
        await living.shutdown()
        // No process uses it now.
        let next = try scheduler()
        #expect(setAside.contains { $0.hasPrefix("work.sqlite.corrupt-") })
        await next.shutdown()
    }

    @Test("one failed read at the agent's start does not replace its journal")
    func agent() async throws {
        let place = try Workplace()
        let client = AgentClient(place)
        try await client.download("film", "/file")
        try await place.killAgents()
        let folder = place.directory + "/agent"
        var number = 0
        while true {
            number += 1
            let log = place.folder.path + "/faults-\(number).log"
            let fault = FaultPoint(calls: ["pread"], path: "agent.sqlite", number: number, errno: EIO)
            let socket = folder + "/agent.sock"
            unlink(socket)
            let agent = try ChildProcess(
                Programs.agent, ["agent", "--directory", place.directory], environment: fault.environment(log: log),
                log: place.hostLog)
            let ended = Recorder<ChildProcess.Change>()
            Task { ended.add(await agent.nextChange()) }
            #expect(try await comesTrue { access(socket, F_OK) == 0 || !ended.values.isEmpty })
            // Of this agent, or of the next one if it could not start.
            #expect(try await client.snapshot("film") != nil, "read \(number)")
            try await place.killAgents()
            #expect(try await comesTrue { !ended.values.isEmpty })
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(!names.contains { $0.contains(".corrupt-") }, "read \(number)")
            if !FaultPoint.hasFailed(log: log) { break }
        }
        #expect(number > 3)
    }
}
