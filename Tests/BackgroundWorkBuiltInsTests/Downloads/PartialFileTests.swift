import BackgroundWorkFiles
import BackgroundWorkModel
import BackgroundWorkTransfers
import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkBuiltIns

/// The file in which a download is received, and from where the next run goes on.
@Suite struct PartialFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func partial() -> PartialFile {
        PartialFile(
            path: folder.path + "/.f.bgwork-1", target: folder.path + "/f", rules: FileRules(.unrestricted))
    }

    @Test("one run at a time has it, and the next one gets what the last one has left")
    func oneAtATime() async throws {
        let (first, second) = (partial(), partial())
        #expect(try await first.acquire()?.bytes == 0)
        try await first.write(Data([1, 2, 3]), at: 0)
        #expect(try await second.acquire() == nil)
        #expect(await second.discard() == false && folder.names == [".f.bgwork-1"])
        await first.leave()
        #expect(try await second.acquire()?.bytes == 3)
        #expect(await second.discard() && folder.names.isEmpty)
        #expect(await first.discard())
    }

    @Test("only its user can read it")
    func mode() async throws {
        let file = partial()
        _ = try await file.acquire()
        var status = stat()
        #expect(stat(file.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test(
        "a link, a second name, a pipe and a file of another user at its name are removed, not used", arguments: 0..<4)
    func foreign(kind: Int) async throws {
        let (file, victim) = (partial(), folder.path + "/victim")
        try Data("victim".utf8).write(to: URL(filePath: victim))
        switch kind {
        case 0: #expect(symlink(victim, file.path) == 0)
        case 1: #expect(link(victim, file.path) == 0)
        case 2: #expect(mkfifo(file.path, 0o600) == 0)
        default:
            try Data("theirs".utf8).write(to: URL(filePath: file.path))
            // Others than root cannot give files away.
            guard getuid() == 0 else { return }
            #expect(chown(file.path, 65_534, 65_534) == 0)
        }
        #expect(try await file.acquire()?.bytes == 0)
        try await file.write(Data([7]), at: 0)
        #expect(FileManager.default.contents(atPath: victim) == Data("victim".utf8))
        #expect(FileManager.default.contents(atPath: file.path) == Data([7]))
    }

    @Test("the checksum is that of the whole file, however its bytes have come")
    func digest() async throws {
        let bytes = (0..<20_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
        let expected = try FileDigest.sha256(of: bytes)
        let file = partial()
        _ = try await file.acquire()
        for order in [[0, 1, 2, 3], [1, 0, 3, 2]] {
            try await file.setLength(0)
            try await file.beginDigest(.sha256)
            for part in order {
                try await file.write(
                    Data(bytes[part * 5_000_000..<(part + 1) * 5_000_000]), at: Int64(part) * 5_000_000)
            }
            while try await !file.digestMore(upTo: 20_000_000) {}
            #expect(try await file.finishDigest() == expected)
        }
    }

    // MARK: Going on

    private static let entity = RecordedEntity(validator: "\"v\"", total: 1000)

    private func checkpoint(_ change: (inout DownloadCheckpoint) -> Void = { _ in }) -> DownloadCheckpoint {
        var checkpoint = DownloadCheckpoint(source: "s", inode: 5, entity: Self.entity, boot: "b")
        checkpoint.received = 300
        change(&checkpoint)
        return checkpoint
    }

    private func file(_ bytes: Int64, inode: UInt64 = 5) -> FileIdentity {
        FileIdentity(device: 1, inode: inode, bytes: bytes)
    }

    @Test("within a boot all that was written counts, after it what was on the disk")
    func boots() {
        #expect(checkpoint().start(of: "s", in: file(700), boot: "b") == .stream(at: 700, Self.entity))
        #expect(checkpoint().start(of: "s", in: file(700), boot: "next") == .stream(at: 300, Self.entity))
        #expect(checkpoint().start(of: "s", in: file(200), boot: "next") == .stream(at: 200, Self.entity))
    }

    @Test("what does not belong together is not continued")
    func beginnings() {
        #expect(checkpoint().start(of: "t", in: file(700), boot: "b") == .beginning)
        #expect(checkpoint().start(of: "s", in: file(700, inode: 6), boot: "b") == .beginning)
        #expect(checkpoint().start(of: "s", in: file(0), boot: "b") == .beginning)
        #expect(checkpoint().start(of: "s", in: file(1001), boot: "b") == .beginning)
        #expect(checkpoint { $0.validator = nil }.start(of: "s", in: file(700), boot: "b") == .beginning)
        let move = FileMove(temporaryPath: "/t/.f", targetPath: "/t/f", identity: file(700))
        #expect(checkpoint { $0.move = move }.start(of: "s", in: file(700), boot: "b") == .beginning)
    }

    @Test("parts count only if they cover the file, and the file has what they say")
    func parts() throws {
        let segments = [
            SegmentTable.Segment(start: 0, end: 500, mark: 100), SegmentTable.Segment(start: 500, end: 1000, mark: 800),
        ]
        let table = try #require(SegmentTable(total: 1000, segments: segments))
        let stored = checkpoint { $0.segments = segments }
        #expect(stored.start(of: "s", in: file(800), boot: "next") == .parts(table, Self.entity))
        #expect(stored.start(of: "s", in: file(799), boot: "b") == .beginning)
        #expect(checkpoint { $0.segments = [segments[1]] }.start(of: "s", in: file(1000), boot: "b") == .beginning)
        #expect(
            checkpoint {
                $0.segments = segments; $0.total = 999
            }.start(of: "s", in: file(1000), boot: "b") == .beginning)
        let json = try JSONCoding.text(of: stored)
        #expect(DownloadCheckpoint(json: json) == stored)
        #expect(DownloadCheckpoint(json: #"{"of":"another worker"}"#) == nil)
    }
}
