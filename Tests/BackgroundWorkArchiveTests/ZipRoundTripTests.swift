import BackgroundWorkFiles
import BackgroundWorkSystem
import Testing

@testable import BackgroundWorkArchive

@Suite struct ZipRoundTripTests {
    static let contents: [ArchiveFile.Content] = [
        .init(name: "folder", kind: .folder, mode: 0o750),
        .init(name: "folder/text.txt", bytes: ArchiveFile.text(100_000), mode: 0o600),
        .init(name: "folder/noise.bin", bytes: ArchiveFile.noise(500_000), modified: 1_234_567_890),
        .init(name: "folder/large.txt", bytes: ArchiveFile.text(3_000_001), mode: 0o755),
        .init(name: "folder/mixed", bytes: ArchiveFile.noise(300_000) + ArchiveFile.text(900_000)),
        .init(name: "empty", bytes: []),
        .init(name: "one", bytes: [7], modified: -1),
        .init(name: "ünï/日本語.txt", bytes: Array("ü".utf8)),
        .init(name: "link", kind: .link, bytes: Array("folder/text.txt".utf8), mode: 0o777),
    ]

    @Test("what was written is read again: names, kinds, contents, permissions and times", arguments: [1, 6, 9])
    func roundTrip(level: Int) throws {
        let file = try ArchiveFile()
        try file.write(Self.contents, level: level)
        #expect(try file.read() == Self.contents)
    }

    @Test("content that cannot be made smaller is stored, whatever its beginning")
    func stored() throws {
        let file = try ArchiveFile()
        try file.write(Self.contents)
        let bytes = try file.bytes()
        // Both are noise; what is noise only at its beginning is compressed.
        let incompressible = 500_000 + 300_000
        #expect(bytes.count > incompressible)
        #expect(bytes.count < incompressible + 60_000)
    }

    @Test("with ZIP64 everything is read again, too: sizes, offsets, the number of entries")
    func large() throws {
        let file = try ArchiveFile()
        let limits = ZipLimits(bytes: 500, entries: 3, largeFile: 900)
        try file.write(Self.contents, limits: limits)
        #expect(try file.read() == Self.contents)
        // Its end: locator, then the end with the marks of ZIP64.
        let bytes = try file.bytes()
        #expect(bytes.suffix(42).starts(with: [0x50, 0x4b, 0x06, 0x07]))
        #expect(bytes.suffix(14) == [UInt8](repeating: 0xff, count: 12) + [0, 0])
    }

    @Test("70,000 entries need ZIP64, and a directory that is not kept in memory")
    func manyEntries() throws {
        let file = try ArchiveFile()
        let contents = (0..<70_000).map {
            ArchiveFile.Content(name: "folder/\($0)", kind: .folder, mode: 0o755, modified: Int64($0))
        }
        try file.write(contents)
        #expect(try file.read() == contents)
        #expect(throws: ArchiveError.refused("it has 70000 entries; maxEntries allows 69999")) {
            try file.read(ExtractionLimits(entries: 69_999))
        }
    }

    @Test("an archive of nothing is one")
    func nothing() throws {
        let file = try ArchiveFile()
        try file.write([])
        #expect(try file.bytes().count == 22)
        #expect(try file.read() == [])
    }

    @Test("what was put before an archive does not matter")
    func prepended() throws {
        let file = try ArchiveFile()
        for limits in [ZipLimits.standard, ZipLimits(bytes: 1_000, entries: 3, largeFile: 900)] {
            try file.write(Self.contents, limits: limits)
            try file.replace(with: Array("#!/bin/sh\nexit\n".utf8) + file.bytes())
            #expect(try file.read() == Self.contents)
        }
    }

    @Test("a file that has become shorter is what was read, and nothing of a longer one is read")
    func changing() throws {
        let file = try ArchiveFile()
        let target = file.path
        let output = open(target, O_RDWR | O_CREAT | O_TRUNC, 0o644)
        let writer = try ZipWriter(descriptor: output, path: target, level: 6) { -1 }
        let source = file.folder.path + "/source"
        for (name, have, expected) in [("shorter", 300_000, 900_000), ("longer", 900_000, 300_000), ("gone", 0, 5_000)]
        {
            try DurableFile.replace(source, with: ArchiveFile.text(have))
            let opened = open(source, O_RDONLY)
            defer { close(opened) }
            let read = try writer.add(
                ZipEntry(name: Array(name.utf8), kind: .file), reading: opened, bytes: UInt64(expected), path: source,
                checkingIn: { _ in })
            #expect(read == min(have, expected))
        }
        _ = try writer.finish()
        close(output)
        #expect(try file.read().map(\.bytes.count) == [300_000, 300_000, 0])
    }

    @Test("names that are too long for the format are refused")
    func longName() throws {
        let file = try ArchiveFile()
        #expect(throws: ArchiveError.self) {
            try file.write([.init(name: String(repeating: "x/", count: 32_768), kind: .folder)])
        }
        try file.write([.init(name: String(repeating: "x/", count: 32_766) + "y", kind: .folder)])
        #expect(try file.read().count == 1)
    }
}
