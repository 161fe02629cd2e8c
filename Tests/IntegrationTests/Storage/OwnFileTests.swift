import BackgroundWork
import BackgroundWorkModel
import BackgroundWorkSystem
import BackgroundWorkTesting
import BackgroundWorkTransfers
import Foundation
import TestSupport
import Testing

/// What the package keeps in its directory, against inputs and requests that name it, with a real agent and server.
@Suite(.serialized, .fewAtATime)
struct OwnFileTests {
    private func place() throws -> Workplace {
        try Workplace(serving: HostDeathTests.content, acceptingUploadsAt: "/upload")
    }

    private func link(_ place: Workplace, _ name: String, to target: String) throws -> String {
        let path = place.folder.path + "/" + name
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
        return path
    }

    private func expectClosed(_ words: String?, _ path: String) {
        #expect(words?.contains("keeps for itself") == true, "\(path): \(words ?? "")")
    }

    @Test("a downloader and an uploader refuse it, by each path, and save beside it")
    func standalone() async throws {
        let place = try place()
        let link = try link(place, "link", to: place.directory)
        let downloader = try place.downloader()
        for path in [place.directory + "/standalone.sqlite", link + "/agent/agent.lock", link + "/direct.lock"] {
            let response = await downloader.networkResponse(from: place.standaloneDownload(to: path), with: path)
            guard case .failed(let error as WorkerInputError) = response else {
                Issue.record("\(path): \(response)")
                continue
            }
            expectClosed(error.reason, path)
        }
        let saved = place.directory + "/saved/file"
        #expect(await downloader.networkResponse(from: place.standaloneDownload(to: saved), with: "s").value != nil)
        #expect(place.hasSaved(HostDeathTests.content, at: saved))
        await downloader.shutdown()
        let uploader = try place.uploader()
        for path in [place.directory + "/standalone.sqlite", link + "/agent/agent.sqlite"] {
            let upload = UploadConfiguration(url: place.server.url("/upload"), filePath: path)
            let response = await uploader.networkResponse(from: upload, with: path)
            guard case .failed(let error as WorkerInputError) = response else {
                Issue.record("\(path): \(response)")
                continue
            }
            expectClosed(error.reason, path)
        }
        await uploader.shutdown()
        #expect(!place.server.requests.contains { $0.path == "/upload" })
    }

    @Test("an agent does not read it, whatever its client asks for")
    func agent() async throws {
        let place = try place()
        let client = AgentClient(place)
        await client.listen()
        let link = try link(place, "journal", to: place.directory + "/agent/agent.sqlite")
        for (name, path) in ["a": place.directory + "/agent/agent.sqlite", "b": link] {
            var status = stat()
            try #require(stat(path, &status) == 0)
            try await client.upload(name, source: UploadSource(path: path, status))
            expectClosed(try await client.outcome(name).failure?.message, path)
        }
        #expect(place.server.requests.isEmpty)
    }

    @Test("a request in process neither writes nor sends it")
    func inProcess() async throws {
        let place = try place()
        let scheduler = try place.scheduler()
        let link = try link(place, "link", to: place.directory)
        var configuration = HTTPTransport.Configuration()
        configuration.securityPolicy = .unrestricted
        let transport = HTTPTransport(configuration: configuration)
        let before = SystemFile.status(of: place.directory + "/work.sqlite")?.inode
        for path in [place.directory + "/work.sqlite", link + "/work.sqlite", link + "/owners/new"] {
            do {
                _ = try await transport.download(HTTPRequest(place.server.url("/file")), to: path)
                Issue.record("\(path) was written")
            } catch {
                expectClosed("\(error)", path)
            }
        }
        for path in [place.directory + "/work.sqlite", link + "/work.sqlite"] {
            var request = HTTPRequest(place.server.url("/upload"), method: "PUT")
            request.body = .file(path: path)
            do {
                _ = try await transport.send(request)
                Issue.record("\(path) was sent")
            } catch {
                expectClosed("\(error)", path)
            }
        }
        #expect(SystemFile.status(of: place.directory + "/work.sqlite")?.inode == before)
        #expect(!place.server.requests.contains { $0.path == "/upload" })
        await scheduler.shutdown()
    }

    @Test(
        "it is known through another place of its directory",
        .enabled(if: getuid() == 0, "mounting a folder needs root"))
    func otherPlace() async throws {
        let place = try place()
        let scheduler = try place.scheduler()
        let other = place.folder.path + "/other"
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: false)
        let mounting = try ChildProcess(
            "/usr/bin/mount", ["--bind", place.directory, other], environment: [:], log: place.hostLog)
        try #require(await mounting.nextChange() == .exited(0), "\(place.logs)")
        defer { umount2(other, Int32(MNT_DETACH)) }
        for path in ["work.sqlite", "owners/new"] {
            #expect(throws: RefusedPathError.self) {
                try FileRules(allowedDirectories: [String]?.none).openForReading(other + "/" + path)
            }
        }
        let hardLink = place.directory + "/copy"
        try FileManager.default.linkItem(atPath: place.directory + "/work.sqlite", toPath: hardLink)
        #expect(throws: RefusedPathError.self) {
            try FileRules(allowedDirectories: [String]?.none).openForReading(hardLink)
        }
        await scheduler.shutdown()
    }
}
