import BackgroundWork
import BackgroundWorkModel
import BackgroundWorkTesting
import BackgroundWorkTransfers
import Foundation
import Testing

/// A file in parts, of which an agent has died in the middle.
@Suite(.serialized, .fewAtATime)
struct PartsAfterAgentDeathTests {
    private static let bytes = 8 << 20

    /// Has a file fetched in four parts, and kills the agent when something of each has come. The place of the file's
    /// content, the client, and the path of the marks.
    private func killed() async throws -> (Workplace, [UInt8], AgentClient, marks: String) {
        let place = try Workplace()
        let content = try place.makeSource(bytes: Self.bytes)
        place.server.serve(.bytes(content), at: "/file")
        place.server.setBehaviour(.holdAfter(bytes: 100_000), for: "/file")
        let client = AgentClient(place)
        await client.listen()
        let task = try await client.download("d") {
            var job = DownloadJob()
            job.connections = .fixed(4)
            $0.job = .download(job)
        }
        try await client.wait(for: "d", "has something of each part") { $0.receivedBytes >= 400_000 }
        place.server.setBehaviour(.correct, for: "/file")
        return (place, content, client, AgentPaths(schedulerDirectory: place.directory).marksFile(task: task))
    }

    private func expectWhole(_ place: Workplace, _ content: [UInt8], _ client: AgentClient) async throws {
        guard case .delivered(let path, _, _, _) = try await client.outcome("d") else {
            Issue.record("\(try await client.outcome("d")) \(place.logs)")
            return
        }
        #expect(place.hasSaved(content, at: path))
        await client.service.disconnect()
    }

    /// The agent must not be started again before the files are as the test needs them.
    private func withAgentDead(_ place: Workplace, _ change: () throws -> Void) async throws {
        for pid in place.agents { kill(pid, SIGSTOP) }
        try change()
        try await place.killAgents()
    }

    @Test("the next agent resumes each part where it was")
    func goesOn() async throws {
        let (place, content, client, _) = try await killed()
        try await place.killAgents()
        try await expectWhole(place, content, client)
        // Connections that are done with their part help with others.
        let resumed = place.server.requests.dropFirst(4)
        #expect(resumed.allSatisfy { $0.status == 206 })
        #expect(!resumed.contains { $0.range?.start == 0 })
        #expect(resumed.contains { ($0.range?.start ?? 0) >= 100_000 && ($0.range?.start ?? .max) < Self.bytes / 4 })
    }

    @Test(
        "with invalid marks the whole file is downloaded again",
        arguments: [[], [1, 2, 3], [UInt8](repeating: 255, count: 200)])
    func garbage(marks: [UInt8]) async throws {
        let (place, content, client, path) = try await killed()
        try await withAgentDead(place) { try Data(marks).write(to: URL(filePath: path)) }
        try await expectWhole(place, content, client)
    }

    @Test("marks of bytes that the file does not have are ignored")
    func shortFile() async throws {
        let (place, content, client, path) = try await killed()
        try await withAgentDead(place) {
            let part = path.replacing(".marks", with: ".part")
            let file = try FileHandle(forUpdating: URL(filePath: part))
            try file.truncate(atOffset: 50_000)
            try file.close()
        }
        try await expectWhole(place, content, client)
    }
}
