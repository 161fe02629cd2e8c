import BackgroundWork
import BackgroundWorkTesting
import Foundation
import Testing

/// `--allow-private` of `bgwork transfers add`, which is about the one transfer that is added.
@Suite(.serialized)
struct TransfersSecurityPolicyTests {
    private static let content = Workplace.content(bytes: 10_000)

    private func place() throws -> Workplace {
        let place = try Workplace()
        for path in ["/file", "/other"] { place.server.serve(.bytes(Self.content), at: path) }
        return place
    }

    /// Leaves a download for the next process.
    private func leave(_ place: Workplace, _ path: String, id: String, under policy: SecurityPolicy) async throws {
        let scheduler = try place.scheduler { $0.securityPolicy = policy }
        var request = try place.download(path, to: place.folder.path + "/downloads/" + id, attempts: 3)
        // Checked when it runs: otherwise it would be refused now.
        request.inputMerge = .overwrite
        try await scheduler.enqueue(request, id: id)
        await scheduler.shutdown()
    }

    private func outcome(of id: String, _ place: Workplace) -> String? {
        place.events.first { $0.workID == id }?.outcome
    }

    @Test(
        "without --allow-private a server on this machine is rejected, the option is named, and no request is sent"
    )
    func refused() async throws {
        let place = try place()
        let result = try await CommandLineTool(place: place).transfers(
            "add", place.server.url("/file"), place.savePath, "--wait", "--id", "film")
        #expect(result.status == 1)
        #expect(result.errors.contains("nothing was added: film (BackgroundDownloadWorker)"), "\(result.errors)")
        #expect(result.errors.contains("--allow-private"), "\(result.errors)")
        #expect(place.server.requests.isEmpty)
    }

    @Test("a transfer that is added with --allow-private allows no other")
    func opensNothing() async throws {
        let place = try place()
        try await leave(place, "/other", id: "other", under: .publicInternet)
        let result = try await CommandLineTool(place: place).transfers(
            "add", place.server.url("/file"), place.savePath, "--wait", "--id", "film", "--allow-private")
        #expect(result.status == 0, "\(result.errors)")
        try await place.wait(for: "both ends") { place.events.count == 2 }
        #expect(outcome(of: "other", place) == "failed")
        #expect(!place.server.requests.contains { $0.path == "/other" })
    }

    @Test("a transfer that is added without --allow-private ends no other")
    func endsNothing() async throws {
        let place = try place()
        try await leave(place, "/other", id: "other", under: .unrestricted)
        let result = try await CommandLineTool(place: place).transfers(
            "add", place.server.url("/file"), place.savePath, "--wait", "--id", "film")
        #expect(result.status == 1)
        #expect(try await CommandLineTool(place: place).transfers("settle").status == 0)
        try await place.wait(for: "the end") { place.events.count == 1 }
        #expect(outcome(of: "other", place) == "succeeded")
        #expect(!place.server.requests.contains { $0.path == "/file" })
    }

    @Test("settle needs no --allow-private to run what was accepted with it")
    func settle() async throws {
        let place = try place()
        try await leave(place, "/file", id: "film", under: .unrestricted)
        let result = try await CommandLineTool(place: place).transfers("settle")
        #expect(result.status == 0, "\(result.errors)")
        try await place.wait(for: "the end") { place.events.count == 1 }
        #expect(outcome(of: "film", place) == "succeeded")
    }

    @Test("--allow-host allows one host and port, and the transfer keeps that")
    func allowedHost() async throws {
        let place = try place()
        let tool = CommandLineTool(place: place)
        let url = place.server.url("/file")
        let refused = try await tool.transfers(
            "add", url, place.savePath, "--wait", "--id", "other", "--allow-host", "127.0.0.1:1", "--allow-host", "h")
        #expect(refused.status == 1)
        #expect(refused.errors.contains("--allow-host 127.0.0.1"), "\(refused.errors)")
        #expect(place.server.requests.isEmpty)
        let result = try await tool.transfers(
            "add", url, place.savePath, "--wait", "--id", "film", "--allow-host", "h", "--allow-host",
            "127.0.0.1:\(place.server.port)")
        #expect(result.status == 0, "\(result.errors)")
        #expect(place.hasSaved(Self.content))
        let invalid = try await tool.transfers("add", url, place.savePath, "--allow-host", "http://h/")
        #expect(invalid.status != 0)
        #expect(invalid.errors.contains("http://h/"), "\(invalid.errors)")
    }

    @Test("a running host with another policy uses the policy of the added transfer")
    func livingHost() async throws {
        let place = try place()
        let scheduler = try place.scheduler { $0.securityPolicy = .publicInternet }
        try await scheduler.start()
        let result = try await CommandLineTool(place: place).transfers(
            "add", place.server.url("/file"), place.savePath, "--wait", "--id", "film", "--allow-private")
        #expect(result.status == 0, "\(result.errors)")
        #expect(place.hasSaved(Self.content))
        await scheduler.shutdown()
    }
}
