import BackgroundWorkSystem
import BackgroundWorkTransfers
import TestSupport
import Testing

@testable import BackgroundWorkAgent

@Suite("The marks beside a staging file")
struct MarkFileTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/7.marks" }

    init() throws { folder = try TemporaryFolder() }

    private static let table: SegmentTable = {
        var table = SegmentTable(total: 64 << 20, received: 5)
        table.split(into: 4)
        return table
    }()

    private func write(_ bytes: [UInt8]) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        _ = BackgroundWorkSystem.write(descriptor, bytes, bytes.count)
        close(descriptor)
    }

    private func bytes() -> [UInt8] {
        let descriptor = open(path, O_RDONLY)
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        return Array(bytes[..<read(descriptor, &bytes, bytes.count)])
    }

    @Test("what was noted is read back, also by another process of the agent")
    func roundTrip() throws {
        var table = Self.table
        let marks = try MarkFile(path: path, table: table)
        #expect(try MarkFile.read(path) == table)
        for (index, segment) in table.segments.enumerated() {
            try marks.note(segment.start + 77, of: index)
            table.advance(index, to: segment.start + 77)
        }
        #expect(try MarkFile.read(path) == table)
        #expect(folder.names == ["7.marks"])
    }

    @Test("a table replaces the previous one as a whole")
    func replaced() throws {
        _ = try MarkFile(path: path, table: Self.table)
        let fewer = SegmentTable(total: 10, received: 3)
        _ = try MarkFile(path: path, table: fewer)
        #expect(try MarkFile.read(path) == fewer)
    }

    @Test("the largest table fits")
    func largest() throws {
        var table = SegmentTable(total: 1 << 40, received: 0)
        while table.split() != nil {}
        _ = try MarkFile(path: path, table: table)
        #expect(try MarkFile.read(path) == table)
    }

    @Test("a truncated file is ignored")
    func truncated() throws {
        _ = try MarkFile(path: path, table: Self.table)
        let whole = bytes()
        for count in 0..<whole.count {
            write(Array(whole[..<count]))
            #expect(try MarkFile.read(path) == nil, "\(count) of \(whole.count) bytes")
        }
        write(whole + [0])
        #expect(try MarkFile.read(path) == nil)
        write(whole)
        #expect(try MarkFile.read(path) == Self.table)
    }

    @Test("random bytes are ignored")
    func garbage() throws {
        _ = try MarkFile(path: path, table: Self.table)
        let whole = bytes()
        for index in whole.indices where index % 8 == 7 {
            // The highest byte of each number: negative, or far beyond the file.
            for value in [0x7f, 0x80, 0xff] as [UInt8] {
                var broken = whole
                broken[index] = value
                write(broken)
                #expect(try MarkFile.read(path) == nil, "byte \(index) is \(value)")
            }
        }
        write([UInt8](repeating: 0xff, count: 4096))
        #expect(try MarkFile.read(path) == nil)
        #expect(try MarkFile.read(folder.path + "/missing") == nil)
    }

    @Test("a link in the place of the file is not followed")
    func link() throws {
        _ = try MarkFile(path: folder.path + "/elsewhere", table: Self.table)
        symlink(folder.path + "/elsewhere", path)
        #expect(try MarkFile.read(path) == nil)
    }

    @Test("a folder that is gone is an error that names the file")
    func gone() {
        let error = #expect(throws: SystemCallError.self) {
            try MarkFile(path: folder.path + "/missing/7.marks", table: Self.table)
        }
        #expect("\(error.map { "\($0)" } ?? "")".contains("7.marks"))
    }
}
