import BackgroundWork
import BackgroundWorkFiles
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

/// Faults of servers and networks during a download: the file is correct nevertheless, or the failure is clear.
@Suite(.serialized, .fewAtATime)
struct BrokenDownloadTests {
    private static let content = Workplace.content(bytes: 300_000)

    private func place(_ resource: Resource = .bytes(content, entityTag: "\"v1\"")) throws -> Workplace {
        let place = try Workplace()
        place.server.serve(resource, at: "/file")
        return place
    }

    @Test(
        "a connection that breaks at any byte is resumed there",
        arguments: [0, 1, 16_383, 16_384, 65_537, 262_144, 299_999] as [Int64], [false, true])
    func breaks(at byte: Int64, byReset: Bool) async throws {
        let place = try place()
        place.server.setBehaviours(
            [byReset ? .resetAfter(bytes: byte) : .closeAfter(bytes: byte), .correct], for: "/file")
        let event = try await place.run(try place.request())
        #expect(event?.success == true, "\(event?.message ?? "")\n\(place.logs)")
        #expect(place.hasSaved(Self.content))
        let starts = place.rangeStarts()
        #expect(starts.count == 2)
        // A reset may take bytes with it that were on their way.
        #expect(byReset ? (starts.last ?? -1) <= byte : starts.last == byte, "\(starts)")
        if let last = starts.last, last > 0 {
            #expect(place.server.requests.last?.header("If-Range") == "\"v1\"")
        }
    }

    @Test("many interruptions do not use the attempts up while the download makes progress")
    func manyBreaks() async throws {
        let content = Workplace.content(bytes: 9 << 20)
        let place = try place(.bytes(content, entityTag: "\"v1\""))
        place.server.setBehaviours(
            Array(repeating: .closeAfter(bytes: (1 << 20) + 10), count: 8) + [.correct], for: "/file")
        let event = try await place.run(
            try place.request {
                $0.options.retry.maximumAttempts = 2
                $0.connections = .single
            })
        #expect(event?.success == true, "\(event?.message ?? "")\n\(place.logs)")
        #expect(place.hasSaved(content))
        #expect(place.rangeStarts().count == 9)
    }

    @Test("attempts without progress are used up, and the failure gives their number")
    func budget() async throws {
        let place = try place()
        place.server.setBehaviour(.closeAfter(bytes: 0), for: "/file")
        let event = try await place.run(try place.request { $0.options.retry.maximumAttempts = 3 })
        #expect(event?.outcome == .failed)
        #expect(event?.message?.contains("attempt 3 of 3") == true, "\(event?.message ?? "")")
        #expect(place.server.requests.count == 3)
    }

    @Test("Retry-After is respected in seconds and as a date, and then the file arrives", arguments: [408, 429, 503])
    func retryAfter(status: Int) async throws {
        let place = try place()
        place.server.setBehaviours(
            [.status(status), .status(status, retryAfter: .seconds(0)), .correct], for: "/file")
        let event = try await place.run(try place.request())
        #expect(event?.success == true, "\(event?.message ?? "")")
        #expect(place.server.requests.map(\.status) == [status, status, 200])
    }

    @Test("an entity that changes between two attempts is downloaded again, never joined")
    func changedEntity() async throws {
        let place = try place()
        let fresh = Workplace.content(bytes: 250_000).reversed() as [UInt8]
        place.server.setBehaviours(
            [.closeAfter(bytes: 100_000), .replace(with: .bytes(fresh, entityTag: "\"v2\""))], for: "/file")
        let event = try await place.run(try place.request())
        #expect(event?.success == true, "\(event?.message ?? "")")
        #expect(place.hasSaved(fresh))
        #expect(place.server.requests.map(\.status) == [200, 200])
    }

    @Test(
        "a partial response that does not match is discarded, and the whole file is requested",
        arguments: [ContentRangeLie.start(shiftedBy: 1), .total(123), .missing])
    func wrongContentRange(lie: ContentRangeLie) async throws {
        let place = try place()
        place.server.setBehaviours(
            [.closeAfter(bytes: 100_000), .contentRange(lie), .correct], for: "/file")
        let event = try await place.run(try place.request())
        #expect(event?.success == true, "\(event?.message ?? "")\n\(place.logs)")
        #expect(place.hasSaved(Self.content))
        #expect(place.server.requests.count == 3)
        #expect(place.server.requests.last?.range == nil)
    }

    @Test(
        "without a strong validator a download starts again, and no pieces are joined",
        arguments: [
            Resource.bytes(content, entityTag: nil), .bytes(content, entityTag: "W/\"weak\""),
        ])
    func noValidator(resource: Resource) async throws {
        let place = try place(resource)
        place.server.setBehaviours([.closeAfter(bytes: 100_000), .correct], for: "/file")
        let event = try await place.run(try place.request())
        #expect(event?.success == true, "\(event?.message ?? "")")
        #expect(place.hasSaved(Self.content))
        #expect(place.server.requests.allSatisfy { $0.range == nil })
    }

    @Test("a date is accepted as a validator")
    func lastModified() async throws {
        var resource = Resource.bytes(Self.content, entityTag: nil)
        resource.lastModified = "Tue, 15 Nov 1994 12:45:26 GMT"
        let place = try place(resource)
        place.server.setBehaviours([.closeAfter(bytes: 100_000), .correct], for: "/file")
        let event = try await place.run(try place.request())
        #expect(event?.success == true, "\(event?.message ?? "")")
        #expect(place.rangeStarts() == [0, 100_000])
        #expect(place.server.requests.last?.header("If-Range") == resource.lastModified)
    }

    @Test("a body that the server compresses without a request is decompressed, and never resumed in the middle")
    func compressed() async throws {
        let place = try place()
        place.server.setBehaviours(
            [
                .with {
                    $0.isCompressed = true; $0.closesAfter = 5000
                }, .compressed,
            ], for: "/file")
        let event = try await place.run(try place.request())
        #expect(event?.success == true, "\(event?.message ?? "")\n\(place.logs)")
        #expect(place.hasSaved(Self.content))
        #expect(place.server.requests.allSatisfy { $0.range == nil })
        #expect(place.server.requests.first?.header("Accept-Encoding") == "identity")
    }

    /// The content as gzip packs it, less so many bytes of its end.
    private static func packed(less bytes: Int = 0) async throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let file = folder.path + "/file"
        try Data(content).write(to: URL(filePath: file))
        let gzip = try ChildProcess("/usr/bin/gzip", [file], environment: [:], log: "/dev/null")
        #expect(await gzip.nextChange() == .exited(0))
        return try Array(Data(contentsOf: URL(filePath: file + ".gz")).dropLast(bytes))
    }

    @Test("a truncated compressed body is not complete, even if its length matches", arguments: [1, 8, 2000])
    func cutPacked(missing: Int) async throws {
        for behaviour in [Behaviour.correct, .chunked, .withoutLength] {
            var resource = Resource.bytes(try await Self.packed(less: missing))
            resource.contentEncoding = "gzip"
            let place = try place(resource)
            place.server.setBehaviour(behaviour, for: "/file")
            let event = try await place.run(try place.request())
            #expect(event?.outcome == .failed)
            #expect(event?.message?.contains("compressed body is incomplete") == true, "\(event?.message ?? "")")
            #expect(place.leftovers.isEmpty && !FileManager.default.fileExists(atPath: place.savePath))
        }
    }

    @Test(
        "a complete compressed body is decompressed, also under a limit on the speed",
        arguments: [nil, 1_000_000] as [Int64?])
    func wholePacked(bytesPerSecond: Int64?) async throws {
        var resource = Resource.bytes(try await Self.packed())
        resource.contentEncoding = "gzip"
        let place = try place(resource)
        let event = try await place.run(try place.request { $0.options.bytesPerSecond = bytesPerSecond })
        #expect(event?.success == true, "\(event?.message ?? "")\n\(place.logs)")
        #expect(place.hasSaved(Self.content))
    }

    @Test("a response that is not HTTP is the server's error, and retried")
    func noHTTP() async throws {
        let place = try place()
        place.server.setBehaviours([.statusLine("SSH-2.0-OpenSSH_9.2"), .correct], for: "/file")
        let event = try await place.run(try place.request())
        #expect(event?.success == true, "\(event?.message ?? "")")
        #expect(place.server.requests.count == 2)
    }

    @Test("an empty body is not a valid packed one, unless its length is said to be zero")
    func emptyPacked() async throws {
        for (behaviour, isWhole) in [(Behaviour.correct, true), (.withoutLength, false), (.chunked, false)] {
            var resource = Resource.bytes([])
            resource.contentEncoding = "gzip"
            let place = try place(resource)
            place.server.setBehaviour(behaviour, for: "/file")
            let event = try await place.run(try place.request())
            #expect(event?.success == isWhole, "\(event?.message ?? "")")
        }
    }

    @Test("an unsupported coding that was not requested is a failure that is not retried")
    func unknownCoding() async throws {
        var resource = Resource.bytes([1, 2, 3])
        resource.contentEncoding = "br"
        let place = try place(resource)
        let event = try await place.run(try place.request())
        #expect(event?.message?.contains("asked for (br)") == true, "\(event?.message ?? "")")
        #expect(place.server.requests.count == 1)
    }

    @Test("more bytes than announced are not accepted", arguments: [-1000, -1] as [Int64])
    func lengthLies(extra: Int64) async throws {
        let place = try place()
        place.server.setBehaviour(.promise(extraBytes: extra), for: "/file")
        let checksum = try FileDigest.sha256(of: Self.content)
        let event = try await place.run(
            try place.request { $0.checksum = FileChecksum(.sha256, hex: checksum) })
        #expect(event?.outcome == .failed)
        #expect(event?.message?.contains("SHA256") == true, "\(event?.message ?? "")")
        #expect(place.leftovers.isEmpty)
    }

    @Test(
        "a body in chunks, or that ends with its connection, is whole", arguments: [Behaviour.chunked, .withoutLength])
    func withoutLength(behaviour: Behaviour) async throws {
        let place = try place()
        place.server.setBehaviour(behaviour, for: "/file")
        #expect(try await place.run(try place.request())?.success == true, "\(place.logs)")
        #expect(place.hasSaved(Self.content))
    }

    @Test("an interrupted chunked body is not a complete file")
    func brokenChunks() async throws {
        let place = try place()
        place.server.setBehaviours(
            [
                .with {
                    $0.isChunked = true; $0.closesAfter = 50_000
                }, .chunked,
            ], for: "/file")
        #expect(try await place.run(try place.request())?.success == true, "\(place.logs)")
        #expect(place.hasSaved(Self.content))
        #expect(place.server.requests.count == 2)
    }

    @Test("a server that stops sending is disconnected, and asked again for the rest")
    func stall() async throws {
        let place = try place()
        place.server.setBehaviours([.holdAfter(bytes: 100_000), .correct], for: "/file")
        let event = try await place.run(try place.request { $0.options.stallTimeout = .milliseconds(300) })
        #expect(event?.success == true, "\(event?.message ?? "")\n\(place.logs)")
        #expect(place.hasSaved(Self.content))
        #expect(place.rangeStarts() == [0, 100_000])
    }

    @Test("a slow trickle is not a stall")
    func trickle() async throws {
        let place = try place(.bytes(Array(Self.content.prefix(400)), entityTag: "\"v1\""))
        place.server.setBehaviour(.trickle(bytesPerSecond: 400), for: "/file")
        let event = try await place.run(try place.request { $0.options.stallTimeout = .milliseconds(700) })
        #expect(event?.success == true, "\(event?.message ?? "")\n\(place.logs)")
        #expect(place.server.requests.count == 1)
    }

    @Test(
        "an answer with two lengths is a failure that says so",
        arguments: [["300000", "5"], ["5", "300000"], ["5, 6"]])
    func twoLengths(lengths: [String]) async throws {
        let place = try place()
        place.server.setBehaviour(
            .with { $0.headers = lengths.map { HeaderField("Content-Length", $0) } }, for: "/file")
        let event = try await place.run(try place.request { $0.options.retry = .never })
        #expect(event?.outcome == .failed)
        #expect(event?.message?.contains("Content-Length") == true, "\(event?.message ?? "")")
        #expect(!place.hasSaved(Array(Self.content.prefix(5))))
    }

    @Test("a length that is said twice in the same way is fine")
    func sameLengths() async throws {
        let place = try place()
        place.server.setBehaviour(
            .with {
                $0.headers = (0..<2).map { _ in HeaderField("Content-Length", "300000") }
            }, for: "/file")
        let event = try await place.run(try place.request())
        #expect(event?.success == true, "\(event?.message ?? "")")
        #expect(place.hasSaved(Self.content))
    }
}
