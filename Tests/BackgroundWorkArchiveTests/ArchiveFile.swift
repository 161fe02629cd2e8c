import BackgroundWorkFiles
import BackgroundWorkSystem
import TestSupport

@testable import BackgroundWorkArchive

/// Archives in memory, written and read through a file.
struct ArchiveFile {
    let folder: TemporaryFolder
    var path: String { folder.path + "/archive.zip" }

    init() throws { folder = try TemporaryFolder() }

    /// An entry with its content.
    struct Content: Equatable {
        var name: String
        var kind = ZipEntry.Kind.file
        var bytes: [UInt8] = []
        var mode: UInt16? = 0o644
        var modified: Int64? = 1_700_000_000
    }

    /// Writes an archive with the package's own writer.
    func write(_ contents: [Content], limits: ZipLimits = .standard, level: Int = 6) throws {
        let file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o644)
        defer { close(file) }
        let writer = try ZipWriter(descriptor: file, path: path, level: level, limits: limits) {
            let spool = folder.path + "/spool"
            return open(spool, O_RDWR | O_CREAT | O_TRUNC, 0o600)
        }
        for content in contents {
            let entry = ZipEntry(
                name: Array(content.name.utf8), kind: content.kind, mode: content.mode, modified: content.modified)
            switch content.kind {
            case .file:
                let source = folder.path + "/source"
                try DurableFile.replace(source, with: content.bytes)
                let opened = open(source, O_RDONLY)
                defer { close(opened) }
                let read = try writer.add(
                    entry, reading: opened, bytes: UInt64(content.bytes.count), path: source, checkingIn: { _ in })
                precondition(read == content.bytes.count)
            case .folder: try writer.add(entry)
            case .link: try writer.add(entry, content: content.bytes)
            }
        }
        _ = try writer.finish()
    }

    /// Everything in it, checked.
    func read(_ limits: ExtractionLimits = ExtractionLimits()) throws -> [Content] {
        let file = open(path, O_RDONLY)
        guard file >= 0 else { throw FileError(action: "open", path: path, code: errno) }
        defer { close(file) }
        let reader = try ZipReader(descriptor: file, path: path)
        _ = try reader.validate(limits) { _ = try EntryPath($0.name) }
        var contents: [Content] = []
        try reader.forEach { entry in
            var bytes: [UInt8] = []
            try reader.read(entry) { bytes += $0 }
            contents.append(
                Content(
                    name: String(decoding: entry.name, as: UTF8.self), kind: entry.kind, bytes: bytes, mode: entry.mode,
                    modified: entry.modified))
        }
        return contents
    }

    func bytes() throws -> [UInt8] { try WholeFile.read(path) ?? [] }
    func replace(with bytes: [UInt8]) throws { try DurableFile.replace(path, with: bytes) }

    /// Text that compresses well, and bytes that do not.
    static func text(_ count: Int) -> [UInt8] {
        Array("The quick brown fox jumps over the lazy dog, again and again. ".utf8).cycled(count)
    }

    static func noise(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }
}

extension [UInt8] {
    func cycled(_ count: Int) -> [UInt8] { (0..<count).map { self[$0 % self.count] } }
}
