import BackgroundWorkFiles
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

@testable import BackgroundWork
@testable import BackgroundWorkBuiltIns

/// Downloads over one connection, from a real server.
@Suite struct HttpDownloadTests {
    @Test("the file is saved, and the output says where and what the server answered")
    func saved() async throws {
        let place = try await DownloadPlace()
        let event = try await place.end(of: place.download)
        #expect(event.message == "saved to \(place.target)")
        #expect(place.content == DownloadPlace.content)
        #expect(place.names == ["file.bin"])
        let output = try #require(try event.output(as: DownloadOutput.self))
        #expect(output.savePath == place.target && output.bytes == Int64(DownloadPlace.content.count))
        #expect(output.statusCode == 200 && output.url == place.url && !output.wasSkipped)
        #expect(output.headers?["etag"] == "\"bytes\"")
        #expect(place.server.requests.map(\.range) == [nil])
    }

    @Test("an empty file is saved as well")
    func empty() async throws {
        let place = try await DownloadPlace()
        place.server.serve(.bytes([]), at: "/file")
        #expect(try await place.end(of: place.download).success)
        #expect(place.content == [])
    }

    @Test("the file has the permissions that were asked for, or those of a new file")
    func permissions() async throws {
        let place = try await DownloadPlace()
        var input = place.download
        input.fileMode = FileMode(0o640)
        #expect(try await place.end(of: input).success)
        var status = stat()
        #expect(stat(place.target, &status) == 0 && status.st_mode & 0o7777 == 0o640)
        #expect(try await place.end(of: place.request(HttpDownloadWorker.self, place.download), id: "next").success)
        let other = place.folder.path + "/other"
        #expect(FileManager.default.createFile(atPath: other, contents: nil))
        var usual = stat()
        #expect(stat(place.target, &status) == 0 && stat(other, &usual) == 0)
        #expect(status.st_mode == usual.st_mode)
    }

    // MARK: Going on

    @Test("an attempt goes on where the last one has broken off", arguments: [true, false])
    func goesOn(byTag: Bool) async throws {
        let place = try await DownloadPlace()
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        place.server.serve(
            .bytes(DownloadPlace.content, entityTag: byTag ? "\"v\"" : nil, lastModified: date), at: "/file")
        place.server.setBehaviours([.closeAfter(bytes: 700_000), .correct], for: "/file")
        var input = place.download
        input.checksum = try checksum(of: DownloadPlace.content)
        #expect(try await place.end(of: input, attempts: 2).success)
        #expect(place.content == DownloadPlace.content)
        let last = try #require(place.server.requests.last)
        #expect(place.server.requests.count == 2 && last.status == 206)
        #expect(last.range?.start == 700_000 && last.range?.end == nil)
        #expect(last.header("if-range") == (byTag ? "\"v\"" : date))
        #expect(place.names == ["file.bin"])
    }

    static let startsOver: [(String, Behaviour)] = [
        ("a part at another place", .contentRange(.start(shiftedBy: 1))),
        ("a part of a longer file", .contentRange(.total(2_000_000))),
        ("a part of nothing known", .contentRange(.missing)),
        ("the whole file in place of a part", .ignoreRanges),
        ("416", .status(416)), ("400", .status(400)), ("403", .status(403)), ("501", .status(501)),
        ("another version", .replace(with: .bytes(DownloadPlace.content.reversed(), entityTag: "\"w\""))),
    ]

    @Test("what cannot be the rest of the file is never joined to its beginning", arguments: startsOver.indices)
    func neverMixed(index: Int) async throws {
        let (name, behaviour) = Self.startsOver[index]
        let place = try await DownloadPlace()
        place.server.setBehaviours([.closeAfter(bytes: 700_000), behaviour, .correct], for: "/file")
        #expect(try await place.end(of: place.download, attempts: 2).success, "\(name)")
        let isOther = behaviour.replacement != nil
        #expect(place.content == (isOther ? DownloadPlace.content.reversed() : DownloadPlace.content), "\(name)")
        #expect(place.names == ["file.bin"])
    }

    @Test("a path in a message has no control characters")
    func printableMessages() async throws {
        let place = try await DownloadPlace()
        var input = place.download
        input.savePath = place.saved + "/a\n\u{1b}[2J\u{202e}b"
        let event = try await place.end(of: input)
        #expect(event.success && event.message == "saved to \(place.saved)/a??[2J?b", "\(event.message ?? "")")
        #expect(try event.output(as: DownloadOutput.self)?.savePath == input.savePath)
    }

    @Test("without a strong validator, or if it is not wanted, the next attempt begins anew", arguments: [0, 1, 2])
    func anew(index: Int) async throws {
        let place = try await DownloadPlace()
        var input = place.download
        switch index {
        case 0: place.server.serve(.bytes(DownloadPlace.content, entityTag: "W/\"v\""), at: "/file")
        case 1: place.server.serve(.bytes(DownloadPlace.content, entityTag: nil), at: "/file")
        default: input.isResumable = false
        }
        place.server.setBehaviours([.closeAfter(bytes: 700_000), .correct], for: "/file")
        #expect(try await place.end(of: input, attempts: 2).success)
        #expect(place.content == DownloadPlace.content)
        #expect(place.server.requests.map(\.range) == [nil, nil])
    }

    @Test("a shutdown keeps what has arrived, and the next scheduler goes on there")
    func shutdown() async throws {
        let first = try await DownloadPlace()
        first.server.setBehaviours([.holdAfter(bytes: 900_000), .correct], for: "/file")
        _ = try await first.scheduler.enqueue(first.request(HttpDownloadWorker.self, first.download), id: "work")
        let partial = first.saved
        let arrived = try await comesTrue { Self.partialBytes(in: partial) >= 800_000 }
        #expect(arrived)
        await first.scheduler.shutdown()
        #expect(first.partials.count == 1 && first.content == nil)
        let second = try await DownloadPlace(first.folder, server: first.server)
        #expect(try await second.end(of: "work").success)
        #expect(second.content == DownloadPlace.content && second.names == ["file.bin"])
        let start = try #require(first.server.requests.last?.range?.start)
        #expect(start >= 800_000)
        await second.scheduler.shutdown()
    }

    static func partialBytes(in folder: String) -> Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasPrefix(".") }.compactMap { name in
            (try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)"))?[.size] as? Int
        }.first ?? -1
    }

    // MARK: Checks

    private func checksum(of bytes: [UInt8]) throws -> FileChecksum {
        FileChecksum(.sha256, hex: try FileDigest.sha256(of: bytes))
    }

    @Test("a file with another checksum is deleted, and is not fetched again", arguments: [1, 2])
    func wrongChecksum(attempts: Int) async throws {
        let place = try await DownloadPlace()
        if attempts == 2 { place.server.setBehaviours([.closeAfter(bytes: 700_000), .correct], for: "/file") }
        var input = place.download
        input.checksum = FileChecksum(.sha256, hex: String(repeating: "0", count: 64))
        let event = try await place.end(of: input, attempts: attempts + 1)
        #expect(event.outcome == .failed && event.message?.contains("checksum") == true, "\(event.message ?? "")")
        #expect(place.names.isEmpty && place.server.requests.count == attempts)
    }

    @Test("a file that is too long is refused by its length, or when it gets too long", arguments: [true, false])
    func tooLong(isAnnounced: Bool) async throws {
        let place = try await DownloadPlace()
        if !isAnnounced { place.server.setBehaviour(.chunked, for: "/file") }
        var input = place.download
        input.maxBytes = 1_499_999
        let event = try await place.end(of: input, attempts: 3)
        #expect(event.outcome == .failed && event.message?.contains("1499999 bytes") == true, "\(event.message ?? "")")
        #expect(place.names.isEmpty && place.server.requests.count == 1)
        input.maxBytes = 1_500_000
        let next = try await place.end(of: place.request(HttpDownloadWorker.self, input), id: "next")
        #expect(next.success && place.content == DownloadPlace.content)
    }

    @Test("a body that the server compresses without being asked is decompressed")
    func compressed() async throws {
        let place = try await DownloadPlace()
        place.server.setBehaviour(.compressed, for: "/file")
        var input = place.download
        input.checksum = try checksum(of: DownloadPlace.content)
        let event = try await place.end(of: input)
        #expect(event.success, "\(event.message ?? "")")
        #expect(place.content == DownloadPlace.content)
    }

    // MARK: What is there already

    @Test("a file at the path is replaced, kept, or gets company")
    func duplicates() async throws {
        let place = try await DownloadPlace()
        try place.write("old", to: place.target)
        var input = place.download
        input.onDuplicate = .skip
        let skipped = try await place.end(of: place.request(HttpDownloadWorker.self, input), id: "skip")
        #expect(try skipped.output(as: DownloadOutput.self)?.wasSkipped == true)
        #expect(place.content == Array("old".utf8) && place.server.requests.isEmpty)
        input.onDuplicate = .rename
        for number in 1...2 {
            let renamed = try await place.end(of: place.request(HttpDownloadWorker.self, input), id: "\(number)")
            let path = place.saved + "/file_\(number).bin"
            #expect(try renamed.output(as: DownloadOutput.self)?.savePath == path)
            #expect(renamed.message?.contains(path) == true)
            #expect(place.bytes(at: path) == DownloadPlace.content)
        }
        #expect(place.content == Array("old".utf8))
        input.onDuplicate = .overwrite
        #expect(try await place.end(of: place.request(HttpDownloadWorker.self, input), id: "over").success)
        #expect(place.content == DownloadPlace.content)
        #expect(place.names == ["file.bin", "file_1.bin", "file_2.bin"])
    }

    @Test("a file that appears during the download is not replaced either", arguments: [DuplicatePolicy.rename, .skip])
    func appears(policy: DuplicatePolicy) async throws {
        let place = try await DownloadPlace()
        place.server.setBehaviour(.holdAfter(bytes: 900_000), for: "/file")
        var input = place.download
        input.onDuplicate = policy
        _ = try await place.scheduler.enqueue(place.request(HttpDownloadWorker.self, input), id: "work")
        await place.server.wait { $0.contains { $0.bodyBytes >= 900_000 } }
        try place.write("new", to: place.target)
        place.server.release("/file")
        let event = try await place.end(of: "work")
        #expect(event.success && place.content == Array("new".utf8))
        #expect(place.names == (policy == .skip ? ["file.bin"] : ["file.bin", "file_1.bin"]))
        if policy == .rename { #expect(place.bytes(at: place.saved + "/file_1.bin") == DownloadPlace.content) }
    }

    @Test("a folder, a pipe and a socket are not replaced, and nothing is fetched", arguments: [true, false])
    func notReplaced(isFolder: Bool) async throws {
        let place = try await DownloadPlace()
        try FileManager.default.createDirectory(
            atPath: isFolder ? place.target : place.saved, withIntermediateDirectories: true)
        if !isFolder { #expect(mkfifo(place.target, 0o600) == 0) }
        let event = try await place.end(of: place.download, attempts: 3)
        #expect(event.outcome == .failed && event.message?.contains(place.target) == true, "\(event.message ?? "")")
        #expect(place.server.requests.isEmpty && place.names == ["file.bin"])
    }

    // MARK: Links

    @Test("a link at the path is replaced, and what it leads to is left alone")
    func linkAtPath() async throws {
        let place = try await DownloadPlace()
        let other = place.folder.path + "/other"
        try place.write("other", to: other)
        try FileManager.default.createDirectory(atPath: place.saved, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: place.target, withDestinationPath: other)
        #expect(try await place.end(of: place.download).success)
        #expect(place.bytes(at: other) == Array("other".utf8))
        let type = try FileManager.default.attributesOfItem(atPath: place.target)[.type] as? FileAttributeType
        #expect(type == .typeRegular && place.content == DownloadPlace.content)
    }

    @Test("a link in the path does not lead out of the allowed folders")
    func linkInPath() async throws {
        let folder = try TemporaryFolder()
        let place = try await DownloadPlace(folder, allowing: [folder.path + "/saved"])
        try FileManager.default.createDirectory(atPath: place.saved, withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: folder.path + "/outside", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: place.saved + "/link", withDestinationPath: folder.path + "/outside")
        var input = place.download
        input.savePath = place.saved + "/link/file"
        let event = try await place.end(of: input, attempts: 3)
        #expect(event.outcome == .failed && event.message?.contains("outside") == true, "\(event.message ?? "")")
        #expect(place.server.requests.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/outside").isEmpty)
    }

    @Test("what somebody has put at the partial file's name is neither written to nor taken for it")
    func foreignPartial() async throws {
        let place = try await DownloadPlace()
        place.server.setBehaviours([.closeAfter(bytes: 700_000), .holdAfter(bytes: 0), .correct], for: "/file")
        let request = TaskRequest(
            HttpDownloadWorker.self, input: place.download,
            retryPolicy: .linear(initialDelay: .seconds(3600), maximumAttempts: 3, jitter: 0))
        _ = try await place.scheduler.enqueue(request, id: "work")
        let waits = try await comesTrue {
            let info = try await place.scheduler.info(id: "work")
            return info?.state == .pending && info?.runAttempt == 1
        }
        #expect(waits)
        let partial = place.saved + "/" + (try #require(place.partials.first))
        let victim = place.folder.path + "/victim"
        try place.write("victim", to: victim)
        try FileManager.default.removeItem(atPath: partial)
        try FileManager.default.createSymbolicLink(atPath: partial, withDestinationPath: victim)
        place.server.setBehaviour(.correct, for: "/file")
        _ = try await place.scheduler.runNow(id: "work")
        #expect(try await place.end(of: "work").success)
        #expect(place.content == DownloadPlace.content && place.bytes(at: victim) == Array("victim".utf8))
        #expect(place.names == ["file.bin"])
    }
}
