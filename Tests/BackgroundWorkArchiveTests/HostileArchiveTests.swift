import Testing

@testable import BackgroundWorkArchive

/// Archives that are damaged, or made to do harm.
@Suite struct HostileArchiveTests {
    private static let small: [ArchiveFile.Content] = [
        .init(name: "folder", kind: .folder, mode: 0o755),
        .init(name: "folder/text", bytes: ArchiveFile.text(2_000)),
        .init(name: "noise", bytes: ArchiveFile.noise(100)),
        .init(name: "link", kind: .link, bytes: Array("noise".utf8), mode: 0o777),
    ]

    private static let limits = [ZipLimits.standard, ZipLimits(bytes: 50, entries: 2, largeFile: 50)]

    @Test("an archive that ends too early is refused, wherever that is", arguments: limits)
    func truncated(limits: ZipLimits) throws {
        let file = try ArchiveFile()
        try file.write(Self.small, limits: limits)
        let whole = try file.bytes()
        for count in 0..<whole.count {
            try file.replace(with: Array(whole[..<count]))
            #expect(throws: ArchiveError.self, "\(count) of \(whole.count) bytes") { try file.read() }
        }
    }

    @Test("a changed byte is an error, or changes no content", arguments: limits)
    func flipped(limits: ZipLimits) throws {
        let file = try ArchiveFile()
        try file.write(Self.small, limits: limits)
        let whole = try file.bytes()
        var refused = 0
        for index in whole.indices {
            for mask: UInt8 in [0xff, 0x01, 0x80] {
                var bytes = whole
                bytes[index] ^= mask
                try file.replace(with: bytes)
                do {
                    let read = try file.read()
                    // Times and permissions have no checksum.
                    #expect(read.map(\.bytes) == Self.small.map(\.bytes), "byte \(index)")
                    #expect(read.map(\.name) == Self.small.map(\.name), "byte \(index)")
                } catch is ArchiveError {
                    refused += 1
                }
            }
        }
        // Nearly everything is checked.
        #expect(refused > whole.count * 3 * 3 / 4)
    }

    @Test("random bytes at random places never crash the reader")
    func scrambled() throws {
        let file = try ArchiveFile()
        try file.write(Self.small, limits: Self.limits[1])
        let whole = try file.bytes()
        for seed in 0..<1_000 {
            var bytes = whole
            for (index, byte) in zip(
                ArchiveFile.noise(16, seed: UInt64(seed)), ArchiveFile.noise(8, seed: UInt64(seed) + 9_000))
            {
                bytes[(Int(index) * 7919 + seed * 31) % bytes.count] = byte
            }
            try file.replace(with: bytes)
            do { _ = try file.read() } catch is ArchiveError {}
        }
    }

    /// Changes a number of the only entry's central header.
    private func changed(_ contents: [ArchiveFile.Content], at offset: Int, to value: [UInt8]) throws -> ArchiveFile {
        let file = try ArchiveFile()
        try file.write(contents)
        var bytes = try file.bytes()
        let start = try #require(Self.find([0x50, 0x4b, 1, 2], in: bytes))
        bytes.replaceSubrange(start + offset..<start + offset + value.count, with: value)
        try file.replace(with: bytes)
        return file
    }

    private static func find(_ pattern: [UInt8], in bytes: [UInt8]) -> Int? {
        bytes.indices.first { bytes[$0...].starts(with: pattern) }
    }

    private func refusal(of file: ArchiveFile, _ limits: ExtractionLimits = ExtractionLimits()) -> String {
        do {
            _ = try file.read(limits)
            return "accepted"
        } catch { return "\(error)" }
    }

    private static let one = [ArchiveFile.Content(name: "a", bytes: ArchiveFile.text(500))]

    @Test("what is not supported is refused with its name")
    func unsupported() throws {
        #expect(try refusal(of: changed(Self.one, at: 8, to: [1])).contains("is encrypted"))
        #expect(try refusal(of: changed(Self.one, at: 8, to: [0x40])).contains("is encrypted"))
        #expect(try refusal(of: changed(Self.one, at: 8, to: [0x20])).contains("is a patch"))
        #expect(try refusal(of: changed(Self.one, at: 10, to: [12, 0])).contains("method 12, bzip2"))
        #expect(try refusal(of: changed(Self.one, at: 10, to: [99, 0])).contains("is encrypted"))
        #expect(try refusal(of: changed(Self.one, at: 34, to: [1, 0])).contains("split into several files"))
        // A named pipe, a device.
        #expect(try refusal(of: changed(Self.one, at: 40, to: [0xa4, 0x11])).contains("neither a file nor a folder"))
        #expect(try refusal(of: changed(Self.one, at: 40, to: [0xa4, 0x21])).contains("neither a file nor a folder"))
    }

    @Test("an archive of several files is refused")
    func disks() throws {
        let file = try ArchiveFile()
        try file.write(Self.one)
        var bytes = try file.bytes()
        bytes[bytes.count - 18] = 1
        try file.replace(with: bytes)
        #expect(refusal(of: file).contains("split into several files"))
    }

    @Test("sizes that are lies are found")
    func lies() throws {
        // A shorter and a longer content than there is, by the directory; the local header says otherwise.
        #expect(try refusal(of: changed(Self.one, at: 24, to: [1, 0, 0, 0])).contains("other sizes"))
        #expect(try refusal(of: changed(Self.one, at: 24, to: [0xff, 0xff, 0, 0])).contains("other sizes"))
        #expect(try refusal(of: changed(Self.one, at: 20, to: [0xff, 0xff, 0, 0])).contains("outside of the archive"))
        #expect(try refusal(of: changed(Self.one, at: 42, to: [0xf0, 0, 0, 0])).contains("outside of the archive"))
        #expect(try refusal(of: changed(Self.one, at: 16, to: [1, 2, 3, 4])).contains("another checksum"))
    }

    @Test("a content that is longer than both headers say is stopped where it should end")
    func longerContent() throws {
        let file = try ArchiveFile()
        try file.write(Self.one)
        var bytes = try file.bytes()
        for (signature, offset) in [([0x50, 0x4b, 3, 4] as [UInt8], 22), ([0x50, 0x4b, 1, 2], 24)] {
            let start = try #require(Self.find(signature, in: bytes))
            bytes.replaceSubrange(start + offset..<start + offset + 2, with: [100, 0])
        }
        try file.replace(with: bytes)
        #expect(refusal(of: file).contains("more content than it says"))
    }

    @Test("a bomb is refused by its size and by its ratio, before anything is read")
    func bombs() throws {
        let file = try ArchiveFile()
        try file.write([.init(name: "zeros", bytes: [UInt8](repeating: 0, count: 11 << 20))])
        #expect(refusal(of: file).contains("more than 200 times its compressed"))
        #expect(refusal(of: file, ExtractionLimits(ratio: 2_000)) == "accepted")
        #expect(refusal(of: file, ExtractionLimits(bytes: 1_000, ratio: 2_000)).contains("maxBytes allows 1000"))
        // Many that are harmless by themselves.
        let nine = (0..<9).map { ArchiveFile.Content(name: "\($0)", bytes: [UInt8](repeating: 0, count: 9 << 20)) }
        try file.write(nine, level: 1)
        #expect(refusal(of: file, ExtractionLimits(ratio: 100)).contains("its content has"))
        #expect(refusal(of: file, ExtractionLimits(bytes: 80 << 20, ratio: 2_000)).contains("maxBytes allows"))
    }

    @Test("entries that share bytes are refused: a bomb without a high ratio")
    func overlap() throws {
        let file = try ArchiveFile()
        try file.write([.init(name: "a", bytes: ArchiveFile.text(500)), .init(name: "b", bytes: ArchiveFile.text(500))])
        var bytes = try file.bytes()
        let first = try #require(Self.find([0x50, 0x4b, 1, 2], in: bytes))
        let second = first + 46 + 1 + 9
        // The second one begins where the first does.
        bytes.replaceSubrange(second + 42..<second + 46, with: bytes[first + 42..<first + 46])
        try file.replace(with: bytes)
        #expect(refusal(of: file).contains("share the same bytes"))
    }

    @Test("an entry's local header must have the name that the directory has")
    func names() throws {
        let file = try ArchiveFile()
        try file.write([.init(name: "harmless", bytes: [1])])
        var bytes = try file.bytes()
        bytes.replaceSubrange(30..<38, with: Array("../../et".utf8))
        try file.replace(with: bytes)
        #expect(refusal(of: file).contains("another name"))
    }
}
