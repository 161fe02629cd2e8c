import BackgroundWorkFiles
import BackgroundWorkSystem
import CBackgroundWorkZlib

/// Writes a ZIP archive in one pass over the files, with constant memory.
///
/// Sizes and checksums are set in the local headers after the content is written, so there are no data descriptors,
/// which some readers of streams do not take. For one thread; all calls block.
package final class ZipWriter {
    /// Files are read in pieces of this many bytes.
    package static let pieceBytes = 128 << 10

    private let output: ArchiveOutput
    private let deflater: Deflater
    private let limits: ZipLimits
    private let directory: DirectorySpool
    private var savings: Savings?
    private let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceBytes, alignment: 16)
    /// How many entries there are.
    package private(set) var entries: UInt64 = 0

    /// - Parameters:
    ///   - descriptor: of an empty file for writing. It stays the caller's.
    ///   - path: the file's, for errors.
    ///   - level: from 1, fast, to 9, small.
    ///   - makeSpool: creates a file for a directory that is too large for memory.
    package init(
        descriptor: Int32, path: String, level: Int, limits: ZipLimits = .standard,
        makeSpool: @escaping () throws -> Int32
    ) throws {
        output = ArchiveOutput(descriptor: descriptor, path: path)
        deflater = try Deflater(level: level)
        self.limits = limits
        directory = DirectorySpool(makeFile: makeSpool)
    }

    deinit { piece.deallocate() }

    /// The length of the archive so far, without its directory.
    package var bytes: UInt64 { output.position }

    /// Adds a folder, or a link with its target as content.
    package func add(_ entry: ZipEntry, content: [UInt8] = []) throws {
        var entry = try prepared(entry)
        entry.bytes = UInt64(content.count)
        entry.packedBytes = entry.bytes
        entry.crc = bgw_crc32(0, content, content.count)
        try output.write(entry.localHeader(isLarge: false))
        try output.write(content)
        try finish(entry, isLarge: false)
    }

    /// Adds a file with what it has, up to `bytes`: a file that becomes shorter is an entry of what was read. Returns how
    /// many bytes that was.
    ///
    /// - Parameters:
    ///   - file: open for reading, at its beginning.
    ///   - bytes: the length that it has now. What is appended meanwhile is left out.
    ///   - path: the file's, for errors.
    ///   - checkingIn: called with each piece's length; what it throws ends the call.
    package func add(
        _ entry: ZipEntry, reading file: Int32, bytes: UInt64, path: @autoclosure () -> String,
        checkingIn: (Int) throws -> Void
    ) throws -> UInt64 {
        var entry = try prepared(entry)
        let isLarge = bytes >= limits.largeFile
        // So that all of a small file, with its header, is in the buffer and can be taken back.
        try output.reserve(ZipFormat.localHeaderBytes + entry.storedName.count + 64 + Deflater.bound(piece.count))
        try output.write(entry.localHeader(isLarge: isLarge))
        let start = output.position
        let first = try fill(from: file, atMost: bytes, path: path())
        try checkingIn(first.count)
        if UInt64(first.count) == bytes || first.count < piece.count {
            addWhole(&entry, first)
            if !entry.isDeflated {
                output.rewind(to: start)
                try output.write(first)
            }
        } else if try savings(first, file, bytes) {
            try deflate(&entry, first, file, bytes, path, checkingIn)
        } else {
            try store(&entry, first, file, bytes, path, checkingIn)
        }
        entry.packedBytes = output.position - start
        // The smaller method may not be the one that the header was written with.
        try output.replace(at: entry.offset, with: entry.localHeader(isLarge: isLarge))
        try finish(entry, isLarge: isLarge)
        return entry.bytes
    }

    /// Writes the directory and the end. Nothing can be added then. Returns the archive's length.
    ///
    /// - Parameter checkingIn: what it throws ends the call.
    package func finish(checkingIn: () throws -> Void = {}) throws -> UInt64 {
        let start = output.position
        try directory.copy(to: output, checkingIn: checkingIn)
        let end = EndOfDirectory(
            entries: entries, directoryBytes: output.position - start, directoryOffset: start)
        try output.write(end.records(limits))
        try output.flush()
        return output.position
    }

    private func prepared(_ entry: ZipEntry) throws(ArchiveError) -> ZipEntry {
        var entry = entry
        entry.offset = output.position
        entry.isDeflated = false
        entry.flags = 0
        if entry.name.contains(where: { $0 >= 0x80 }), String(validating: entry.name, as: UTF8.self) != nil {
            entry.flags = ZipFormat.utf8
        }
        entry.storedName = entry.kind == .folder ? entry.name + [UInt8(ascii: "/")] : entry.name
        guard entry.storedName.count <= ZipFormat.longestName else {
            throw .refused(
                "the path of \"\(entry.shownName)\" has \(entry.storedName.count) bytes; in a ZIP archive it may have at "
                    + "most \(ZipFormat.longestName)")
        }
        return entry
    }

    private func finish(_ entry: ZipEntry, isLarge: Bool) throws {
        try directory.append(entry.centralHeader(isLarge: isLarge, limit: limits.bytes))
        entries += 1
    }

    private func savings(_ first: UnsafeRawBufferPointer, _ file: Int32, _ bytes: UInt64) throws -> Bool {
        let savings = try self.savings ?? Savings()
        self.savings = savings
        return savings.pays(beginning: first, file: file, bytes: bytes)
    }

    /// Reads until the piece is full, the file ends, or `most` bytes are read.
    private func fill(from file: Int32, atMost most: UInt64, path: @autoclosure () -> String) throws
        -> UnsafeRawBufferPointer
    {
        let wanted = Int(min(most, UInt64(piece.count)))
        let count = try Self.read(file, into: UnsafeMutableRawBufferPointer(rebasing: piece[..<wanted]), path: path())
        return UnsafeRawBufferPointer(rebasing: piece[..<count])
    }

    private static func read(_ file: Int32, into buffer: UnsafeMutableRawBufferPointer, path: @autoclosure () -> String)
        throws -> Int
    {
        var done = 0
        while done < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let count = SystemCall.repeated { BackgroundWorkSystem.read(file, rest.baseAddress, rest.count) }
            guard count >= 0 else { throw FileError(action: "read", path: path(), code: errno) }
            if count == 0 { break }
            done += count
        }
        return done
    }

    /// Compresses a file that is in memory into the buffer, which has room. The entry is not deflated where that does not
    /// make it smaller; then what was written has to be taken back.
    private func addWhole(_ entry: inout ZipEntry, _ content: UnsafeRawBufferPointer) {
        entry.bytes = UInt64(content.count)
        entry.crc = Self.crc(0, content)
        if content.isEmpty { return }
        deflater.reset()
        let result = deflater.run(content, into: output.free, finishing: true)
        output.advance(result.made)
        entry.isDeflated = result.isComplete && result.made < content.count
    }

    private func deflate(
        _ entry: inout ZipEntry, _ first: UnsafeRawBufferPointer, _ file: Int32, _ bytes: UInt64, _ path: () -> String,
        _ checkingIn: (Int) throws -> Void
    ) throws {
        entry.isDeflated = true
        deflater.reset()
        var content = first
        while true {
            entry.crc = Self.crc(entry.crc, content)
            entry.bytes += UInt64(content.count)
            let isLast = entry.bytes == bytes || content.count < piece.count
            var used = 0
            while true {
                try output.reserve(64 << 10)
                let rest = UnsafeRawBufferPointer(rebasing: content[used...])
                let result = deflater.run(rest, into: output.free, finishing: isLast)
                output.advance(result.made)
                used += result.used
                if isLast ? result.isComplete : used == content.count { break }
            }
            if isLast { return }
            content = try fill(from: file, atMost: bytes - entry.bytes, path: path())
            try checkingIn(content.count)
        }
    }

    private func store(
        _ entry: inout ZipEntry, _ first: UnsafeRawBufferPointer, _ file: Int32, _ bytes: UInt64, _ path: () -> String,
        _ checkingIn: (Int) throws -> Void
    ) throws {
        try output.write(first)
        entry.crc = Self.crc(0, first)
        entry.bytes = UInt64(first.count)
        while entry.bytes < bytes {
            // Without a copy: read where it is written from.
            try output.reserve(Self.pieceBytes)
            let wanted = Int(min(bytes - entry.bytes, UInt64(Self.pieceBytes)))
            let count = try Self.read(
                file, into: UnsafeMutableRawBufferPointer(rebasing: output.free[..<wanted]), path: path())
            try checkingIn(count)
            entry.crc = Self.crc(entry.crc, UnsafeRawBufferPointer(rebasing: output.free[..<count]))
            output.advance(count)
            entry.bytes += UInt64(count)
            if count < wanted { return }
        }
    }

    private static func crc(_ crc: UInt32, _ bytes: UnsafeRawBufferPointer) -> UInt32 {
        bgw_crc32(crc, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
    }
}
