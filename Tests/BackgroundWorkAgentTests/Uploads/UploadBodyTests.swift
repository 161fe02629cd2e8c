import BackgroundWorkModel
import BackgroundWorkSystem
import BackgroundWorkTransfers
import TestSupport
import Testing

@testable import BackgroundWorkAgent

@Suite("The body of an upload")
struct UploadBodyTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/source" }
    private static let content = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    private let url = TransferURL("http://h/u", method: "PUT")

    init() throws { folder = try TemporaryFolder() }

    private func write(_ bytes: [UInt8]) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        _ = BackgroundWorkSystem.write(descriptor, bytes, bytes.count)
        close(descriptor)
    }

    private func source() -> UploadSource {
        var status = stat()
        stat(path, &status)
        return UploadSource(path: path, status)
    }

    /// Reads at once, in pieces of so many bytes.
    private func readAhead(_ file: UploadFile, _ body: UploadBody, pieceBytes: Int = 64) -> ReadAhead {
        ReadAhead(
            body.range, pieceBytes: pieceBytes,
            read: { [url] range, isLast, buffer, then in
                then(Result { try file.read(range, isLast: isLast, into: buffer, url) })
            },
            arrived: {})
    }

    /// Everything that is supplied, in pieces of so many bytes.
    private func drain(_ body: inout UploadBody, from file: ReadAhead, pieces: Int) throws -> [UInt8] {
        var all: [UInt8] = []
        var space = [UInt8](repeating: 0, count: pieces)
        while true {
            let count = try space.withUnsafeMutableBytes { try body.supply($0, from: file) }
            guard let count, count > 0 else { return all }
            all += space[..<count]
        }
    }

    @Test("head, range of the file and tail follow each other, in pieces of any size", arguments: [1, 7, 64, 5000])
    func pieces(count: Int) throws {
        write(Self.content)
        var body = UploadBody(head: Array("head".utf8), range: 100..<900, tail: Array("tail".utf8))
        let file = readAhead(try UploadFile(source(), under: FileRules(.publicInternet), url: url), body)
        #expect(body.count == 808)
        let all = try drain(&body, from: file, pieces: count)
        #expect(all == Array("head".utf8) + Self.content[100..<900] + Array("tail".utf8))
        #expect(body.position == body.count)
        #expect(body.sentFileBytes == 800)
    }

    @Test("a body can be rewound to any position in it, and to none outside")
    func rewind() throws {
        write(Self.content)
        var body = UploadBody(head: [1, 2], range: 0..<1000, tail: [3, 4])
        let file = readAhead(try UploadFile(source(), under: FileRules(.publicInternet), url: url), body)
        let all = try drain(&body, from: file, pieces: 100)
        for offset in [0, 1, 2, 500, 1002, 1003, 1004] as [Int64] {
            #expect(body.rewind(to: offset) == true)
            let rest = try drain(&body, from: file, pieces: 100)
            #expect(rest == Array(all[Int(offset)...]))
        }
        #expect(body.rewind(to: -1) == false)
        #expect(body.rewind(to: 1005) == false)
    }

    @Test("bytes of the frame are not counted as the file's")
    func counted() throws {
        write(Self.content)
        var body = UploadBody(head: [UInt8](repeating: 0, count: 10), range: 0..<1000, tail: [0])
        let file = readAhead(try UploadFile(source(), under: FileRules(.publicInternet), url: url), body)
        var space = [UInt8](repeating: 0, count: 10)
        _ = try space.withUnsafeMutableBytes { try body.supply($0, from: file) }
        #expect(body.sentFileBytes == 0)
        _ = try space.withUnsafeMutableBytes { try body.supply($0, from: file) }
        #expect(body.sentFileBytes == 10)
    }

    @Test("a file that has become shorter is not padded with anything, and the failure names it")
    func shorter() throws {
        write(Self.content)
        var body = UploadBody(range: 0..<1000)
        let file = readAhead(try UploadFile(source(), under: FileRules(.publicInternet), url: url), body)
        truncate(path, 100)
        var space = [UInt8](repeating: 0, count: 64)
        #expect(try space.withUnsafeMutableBytes { try body.supply($0, from: file) } == 64)
        let failure = #expect(throws: TransferFailure.self) {
            try space.withUnsafeMutableBytes { try body.supply($0, from: file) }
        }
        #expect(failure?.kind == .sourceChanged)
        #expect(failure?.message.contains(path) == true)
    }

    @Test("a file that changes while it is sent fails before its last piece is gone")
    func changedUnderWay() throws {
        write(Self.content)
        var body = UploadBody(range: 0..<1000)
        let file = readAhead(
            try UploadFile(source(), under: FileRules(.publicInternet), url: url), body, pieceBytes: 300)
        var space = [UInt8](repeating: 0, count: 300)
        #expect(try space.withUnsafeMutableBytes { try body.supply($0, from: file) } == 300)
        utimensat(AT_FDCWD, path, [timespec(tv_sec: 1, tv_nsec: 1), timespec(tv_sec: 1, tv_nsec: 1)], 0)
        #expect(throws: TransferFailure.self) {
            while true { _ = try space.withUnsafeMutableBytes { try body.supply($0, from: file) } }
        }
        #expect(body.position == 900)
    }

    @Test("an empty file has an empty body")
    func empty() throws {
        write([])
        var body = UploadBody(range: 0..<0)
        let file = readAhead(try UploadFile(source(), under: FileRules(.publicInternet), url: url), body)
        let all = try drain(&body, from: file, pieces: 10)
        #expect(all.isEmpty)
    }

    @Test("any other state of the file than that of the hand-off is a failure that names it")
    func changed() throws {
        write(Self.content)
        let before = source()
        func failure(_ change: () -> Void) -> TransferFailure? {
            write(Self.content)
            let source = source()
            change()
            return #expect(throws: TransferFailure.self) {
                try UploadFile(source, under: FileRules(.publicInternet), url: url)
            }
        }
        let failures = [
            failure { truncate(path, 5) },
            failure {
                utimensat(AT_FDCWD, path, [timespec(tv_sec: 1, tv_nsec: 1), timespec(tv_sec: 1, tv_nsec: 1)], 0)
            },
            failure { unlink(path) },
            failure {
                rename(path, path + ".old")
                write(Self.content)
                utimensat(
                    AT_FDCWD, path,
                    [timespec(), timespec(tv_sec: Int(before.modifiedNs / 1_000_000_000), tv_nsec: 0)], 0)
            },
        ]
        for found in failures {
            #expect(found?.kind == .sourceChanged)
            #expect(found?.isRetryable == false)
            #expect(found?.message.contains(path) == true, "\(found?.message ?? "")")
        }
    }

    @Test("a file that is replaced or changed while it is open is detected")
    func changedWhileOpen() throws {
        write(Self.content)
        let file = try UploadFile(source(), under: FileRules(.publicInternet), url: url)
        try file.check(url)
        truncate(path, 1001)
        #expect(throws: TransferFailure.self) { try file.check(url) }
        write(Self.content)
        let other = try UploadFile(source(), under: FileRules(.publicInternet), url: url)
        rename(path, path + ".old")
        #expect(throws: TransferFailure.self) { try other.check(url) }
        write(Self.content)
        #expect(throws: TransferFailure.self) { try other.check(url) }
    }
}
