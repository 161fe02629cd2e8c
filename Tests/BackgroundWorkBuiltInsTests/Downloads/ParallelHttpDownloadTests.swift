import BackgroundWorkFiles
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

@testable import BackgroundWork
@testable import BackgroundWorkBuiltIns

/// Downloads over several connections, from a real server.
@Suite struct ParallelHttpDownloadTests {
    /// The ranges that were asked for, in order of their beginnings; `nil` for the whole file.
    func ranges(_ place: DownloadPlace) -> [ClosedRange<Int64>?] {
        place.server.requests.map { request in request.range.flatMap { range in range.end.map { range.start...$0 } } }
            .sorted { ($0?.lowerBound ?? -1) < ($1?.lowerBound ?? -1) }
    }

    @Test("each connection fetches a part, and the file is whole")
    func parts() async throws {
        let place = try await DownloadPlace()
        var input = place.parallel
        input.checksum = FileChecksum(.sha256, hex: try FileDigest.sha256(of: DownloadPlace.content))
        let event = try await place.end(of: input)
        #expect(event.success && event.message == "saved to \(place.target)", "\(event.message ?? "")")
        #expect(place.content == DownloadPlace.content && place.names == ["file.bin"])
        let asked = ranges(place)
        #expect(asked == [nil, 375_000...749_999, 750_000...1_124_999, 1_125_000...1_499_999])
        #expect(place.server.requests.dropFirst().allSatisfy { $0.header("if-range") == "\"bytes\"" })
        let output = try #require(try event.output(as: DownloadOutput.self))
        #expect(output.statusCode == 200 && output.bytes == 1_500_000 && output.requests == 4)
    }

    @Test(
        "a server that announces ranges and refuses them is asked for the whole file", arguments: [400, 403, 404, 501])
    func refusedRanges(status: Int) async throws {
        let place = try await DownloadPlace()
        place.server.setBehaviour(.refuseRanges(status: status), for: "/file")
        let event = try await place.end(of: place.parallel)
        #expect(event.success, "\(event.message ?? "")")
        #expect(place.content == DownloadPlace.content && place.names == ["file.bin"])
        let last = try #require(place.server.requests.last)
        #expect(last.range == nil && last.status == 200)
        let output = try #require(try event.output(as: DownloadOutput.self))
        #expect(output.statusCode == 200 && (output.requests ?? 0) >= 3)
    }

    @Test("sixteen connections, and one")
    func counts() async throws {
        let place = try await DownloadPlace()
        place.server.serve(.generated(bytes: 16 * (256 << 10)), at: "/file")
        var input = place.parallel
        for count in [16, 1] {
            input.numChunks = count
            let before = place.server.requests.count
            #expect(
                try await place.end(of: place.request(ParallelHttpDownloadWorker.self, input), id: "\(count)").success)
            #expect(place.server.requests.count - before == count)
            #expect(place.content?.count == 16 * (256 << 10))
        }
    }

    static let oneStream: [(String, Resource, Behaviour)] = [
        ("no ranges announced", .bytes(DownloadPlace.content), .hide("Accept-Ranges")),
        ("a weak tag", .bytes(DownloadPlace.content, entityTag: "W/\"v\""), .correct),
        (
            "only a date", .bytes(DownloadPlace.content, entityTag: nil, lastModified: "Sun, 06 Nov 1994 08:49:37 GMT"),
            .correct
        ),
        ("no length", .bytes(DownloadPlace.content), .chunked),
        ("compressed", .bytes(DownloadPlace.content), .compressed),
        ("a short file", .bytes(DownloadPlace.content.prefix(400_000)), .correct),
    ]

    @Test("one stream, where parts are not safe or not worth it", arguments: oneStream.indices)
    func single(index: Int) async throws {
        let (name, resource, behaviour) = Self.oneStream[index]
        let place = try await DownloadPlace()
        place.server.serve(resource, at: "/file")
        place.server.setBehaviour(behaviour, for: "/file")
        let event = try await place.end(of: place.parallel)
        #expect(event.success, "\(name): \(event.message ?? "")")
        #expect(
            place.content == (index == 5 ? Array(DownloadPlace.content.prefix(400_000)) : DownloadPlace.content),
            "\(name)")
        #expect(ranges(place) == [nil], "\(name)")
    }

    static let lies: [(String, Behaviour)] = [
        ("ignores ranges", .ignoreRanges), ("another place", .contentRange(.start(shiftedBy: -1))),
        ("another length", .contentRange(.total(1_500_001))), ("no place", .contentRange(.missing)),
        ("another tag", .headers([HeaderField("ETag", "\"other\"")])), ("no tag", .hide("ETag")),
        ("416", .status(416)),
        ("another file", .replace(with: .bytes(DownloadPlace.content.reversed(), entityTag: "\"new\""))),
    ]

    @Test("parts that do not fit together are never joined: the file is fetched as one", arguments: lies.indices)
    func neverMixed(index: Int) async throws {
        let (name, behaviour) = Self.lies[index]
        let place = try await DownloadPlace()
        // The first request tells of ranges, those for parts are lied to, and then the whole file is asked for.
        place.server.setBehaviours([.correct, behaviour, behaviour, behaviour, .correct], for: "/file")
        let event = try await place.end(of: place.parallel, attempts: 2)
        #expect(event.success, "\(name): \(event.message ?? "")")
        let isOther = behaviour.replacement != nil
        #expect(place.content == (isOther ? DownloadPlace.content.reversed() : DownloadPlace.content), "\(name)")
        #expect(place.names == ["file.bin"])
    }

    @Test("the next attempt asks for what is missing of each part only")
    func goesOn() async throws {
        let place = try await DownloadPlace()
        place.server.setBehaviours([.correct, .closeAfter(bytes: 100_000), .correct], for: "/file")
        var input = place.parallel
        input.checksum = FileChecksum(.sha256, hex: try FileDigest.sha256(of: DownloadPlace.content))
        let event = try await place.end(of: input, attempts: 3)
        #expect(event.success, "\(event.message ?? "")")
        #expect(place.content == DownloadPlace.content)
        let again = place.server.requests.dropFirst(4)
        #expect(!again.isEmpty && again.allSatisfy { $0.range?.end != nil && $0.status == 206 })
        // None is asked for twice, but for what had not been taken from the connection when the attempt ended.
        #expect(again.contains { [475_000, 850_000, 1_225_000].contains($0.range?.start ?? 0) })
    }

    @Test("a shutdown keeps what is marked, and the next scheduler asks for the rest")
    func shutdown() async throws {
        let first = try await DownloadPlace()
        first.server.setBehaviours(
            [
                .holdAfter(bytes: 200_000), .holdAfter(bytes: 200_000), .holdAfter(bytes: 200_000),
                .holdAfter(bytes: 200_000), .correct,
            ],
            for: "/file")
        _ = try await first.scheduler.enqueue(
            first.request(ParallelHttpDownloadWorker.self, first.parallel), id: "work")
        let isMarked = try await comesTrue {
            let checkpoint = try await first.scheduler.store.read { try $0.record(id: "work")?.checkpoint }
            let segments = DownloadCheckpoint(json: checkpoint)?.segments ?? []
            return segments.count == 4 && segments.allSatisfy { $0.mark == $0.start + 200_000 }
        }
        #expect(isMarked)
        await first.scheduler.shutdown()
        #expect(first.partials.count == 1 && first.content == nil)
        let second = try await DownloadPlace(first.folder, server: first.server)
        #expect(try await second.end(of: "work").success)
        #expect(second.content == DownloadPlace.content && second.names == ["file.bin"])
        let rest = first.server.requests.dropFirst(4).compactMap(\.range?.start).sorted()
        #expect(rest == [200_000, 575_000, 950_000, 1_325_000])
        await second.scheduler.shutdown()
    }

    @Test("a file at the path is skipped or replaced")
    func existing() async throws {
        let place = try await DownloadPlace()
        try place.write("old", to: place.target)
        var input = place.parallel
        input.skipsExisting = true
        let skipped = try await place.end(of: place.request(ParallelHttpDownloadWorker.self, input), id: "skip")
        #expect(try skipped.output(as: DownloadOutput.self)?.wasSkipped == true && place.server.requests.isEmpty)
        #expect(skipped.message?.contains(place.target) == true && place.content == Array("old".utf8))
        input.skipsExisting = false
        #expect(try await place.end(of: place.request(ParallelHttpDownloadWorker.self, input), id: "over").success)
        #expect(place.content == DownloadPlace.content)
    }

    @Test("a wrong checksum deletes all parts")
    func wrongChecksum() async throws {
        let place = try await DownloadPlace()
        var input = place.parallel
        input.checksum = FileChecksum(.sha512, hex: String(repeating: "0", count: 128))
        let event = try await place.end(of: input, attempts: 3)
        #expect(event.outcome == .failed && event.message?.contains("SHA512") == true && place.names.isEmpty)
    }
}
