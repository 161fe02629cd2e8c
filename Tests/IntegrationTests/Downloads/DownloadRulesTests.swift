import BackgroundWork
import BackgroundWorkFiles
import BackgroundWorkTesting
import Foundation
import Testing

/// Options of a download: checksums, limits, names, mirrors.
@Suite(.serialized, .fewAtATime)
struct DownloadRulesTests {
    private static let content = Workplace.content(bytes: 200_000)

    private func place() throws -> Workplace {
        let place = try Workplace()
        place.server.serve(.bytes(Self.content, entityTag: "\"v1\""), at: "/file")
        return place
    }

    @Test("the right checksum passes, over one connection, after a break, and over several", arguments: [0, 1, 2])
    func checksum(way: Int) async throws {
        let content = Workplace.content(bytes: 3 << 20)
        let place = try Workplace()
        place.server.serve(.bytes(content, entityTag: "\"v1\""), at: "/file")
        if way == 1 { place.server.setBehaviours([.closeAfter(bytes: 1_000_000), .correct], for: "/file") }
        let checksum = try FileDigest.sha256(of: content)
        let event = try await place.run(
            try place.request {
                $0.checksum = FileChecksum(.sha256, hex: checksum.uppercased())
                if way == 2 { $0.connections = .fixed(4) }
            })
        #expect(event?.success == true, "\(event?.message ?? "")\n\(place.logs)")
        #expect(place.hasSaved(content))
    }

    @Test("an HTML page with status 200 where a checksum is expected fails, says what came, and leaves nothing")
    func errorPage() async throws {
        let place = try place()
        place.server.setBehaviour(.errorPage, for: "/file")
        let event = try await place.run(
            try place.request { $0.checksum = FileChecksum(.sha256, hex: String(repeating: "a", count: 64)) })
        #expect(event?.outcome == .failed)
        #expect(event?.message?.contains("text/html") == true, "\(event?.message ?? "")")
        #expect(event?.message?.contains(String(repeating: "a", count: 64)) == true)
        #expect(place.server.requests.count == 1)
        #expect(!FileManager.default.fileExists(atPath: place.savePath))
        #expect(place.leftovers.isEmpty)
    }

    @Test("a file above maxBytes is rejected, known length or not", arguments: [false, true])
    func maxBytes(hidesLength: Bool) async throws {
        let place = try place()
        if hidesLength { place.server.setBehaviour(.withoutLength, for: "/file") }
        let event = try await place.run(try place.request { $0.maxBytes = 199_999 })
        #expect(event?.outcome == .failed)
        #expect(event?.message?.contains("199999") == true, "\(event?.message ?? "")")
        #expect(place.leftovers.isEmpty)
        #expect(try await place.run(try place.request { $0.maxBytes = 200_000 })?.success == true)
    }

    @Test("a mirror is used when the previous one has failed permanently, and it starts at the first byte")
    func mirrors() async throws {
        let place = try place()
        place.server.setBehaviours([.closeAfter(bytes: 50_000), .status(404)], for: "/file")
        let other = Array(Self.content.reversed())
        place.server.serve(.bytes(other, entityTag: "\"v1\""), at: "/mirror")
        let gone = place.server.url("/gone")
        let event = try await place.run(
            try place.request { $0.mirrors = [gone, place.server.url("/mirror")] })
        #expect(event?.success == true, "\(event?.message ?? "")\n\(place.logs)")
        #expect(place.hasSaved(other))
        #expect(place.server.requests.last?.range == nil)
    }

    @Test("when the mirrors fail as well, the end's message says first why the URL itself failed")
    func messageOfMirrors() async throws {
        let place = try place()
        place.server.setBehaviour(.status(404), for: "/file")
        let request = try place.request {
            $0.mirrors = [place.server.url("/gone"), "http://127.0.0.1:1/m?key=secret"]
            $0.options.retry = .never
        }
        let message = try #require(try await place.run(request)?.message)
        let first = "GET \(place.server.url("/file")): the server answered 404"
        #expect(message.hasPrefix(first), "\(message)")
        let parts = [first, "mirrors", "GET \(place.server.url("/gone")): the server answered 404", "127.0.0.1:1/m?…"]
        var rest = message[...]
        for part in parts {
            let found = try #require(rest.firstRange(of: part), "\(part): \(message)")
            rest = rest[found.upperBound...]
        }
        #expect(!message.contains("secret"))
    }

    @Test("why a URL has failed is known after the agent's death, too")
    func messageOfMirrorsAfterDeath() async throws {
        let place = try place()
        place.server.setBehaviour(.status(403), for: "/file")
        place.server.serve(.bytes(Self.content, entityTag: "\"v1\""), at: "/slow")
        place.server.setBehaviours([.holdAfter(bytes: 1000), .status(410)], for: "/slow")
        let scheduler = try place.scheduler()
        let stream = scheduler.eventBus.events
        try await scheduler.start()
        try await scheduler.enqueue(try place.request { $0.mirrors = [place.server.url("/slow")] })
        try await place.wait(for: "the mirror's request") { place.server.requests.contains { $0.path == "/slow" } }
        try await place.killAgents()
        var iterator = stream.makeAsyncIterator()
        let message = try #require(await iterator.next()?.message)
        await scheduler.shutdown()
        #expect(message.contains("403"), "\(message)")
        #expect(message.contains("410"), "\(message)")
    }

    @Test("after a wrong checksum on one mirror the next is used")
    func mirrorWithAnotherFile() async throws {
        let place = try place()
        place.server.serve(.bytes(Self.content.reversed(), entityTag: "\"v1\""), at: "/bad")
        let checksum = try FileDigest.sha256(of: Self.content)
        let event = try await place.run(
            try place.request("/bad") {
                $0.mirrors = [place.server.url("/file")]
                $0.checksum = FileChecksum(.sha256, hex: checksum)
            })
        #expect(event?.success == true, "\(event?.message ?? "")\n\(place.logs)")
        #expect(place.hasSaved(Self.content))
    }

    @Test("into a folder the file goes under the name that the server suggests, made safe")
    func suggestedName() async throws {
        let place = try place()
        place.server.setBehaviour(
            .headers([HeaderField("Content-Disposition", #"attachment; filename="../../re port.txt""#)]), for: "/file")
        let folder = place.folder.path + "/downloads/"
        let event = try await place.run(try place.request { $0.savePath = folder })
        #expect(event?.success == true, "\(event?.message ?? "")")
        #expect(place.hasSaved(Self.content, at: folder + "re port.txt"), "\(event?.outputJSON ?? "")")
    }

    @Test("the output says status, headers that matter, bytes, time, attempts and the final URL")
    func output() async throws {
        let place = try place()
        place.server.setBehaviours([.closeAfter(bytes: 1000), .correct], for: "/file")
        let event = try await place.run(try place.request())
        let output = try #require(event?.outputJSON)
        for part in [
            "\"statusCode\":206", "\"bytes\":200000", "\"requests\":2", "\"durationMs\":", "\"etag\":\"\\\"v1\\\"\"",
        ] {
            #expect(output.contains(part), "\(output)")
        }
    }

    @Test("an existing file is kept, replaced, or joined by one with a number", arguments: DuplicatePolicy.allCases)
    func duplicates(policy: DuplicatePolicy) async throws {
        let place = try place()
        let folder = place.folder.path + "/downloads"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data("old".utf8).write(to: URL(filePath: place.savePath))
        let event = try await place.run(try place.request { $0.onDuplicate = policy })
        #expect(event?.success == true, "\(event?.message ?? "")")
        #expect(place.hasSaved(policy == .overwrite ? Self.content : Array("old".utf8)))
        #expect(place.hasSaved(Self.content, at: folder + "/file_1.bin") == (policy == .rename))
        #expect(place.server.requests.isEmpty == (policy == .skip))
    }
}
