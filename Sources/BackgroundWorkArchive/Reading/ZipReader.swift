import BackgroundWorkFiles
import BackgroundWorkSystem

/// Reads a ZIP archive by its central directory, with constant memory but for 16 bytes for each entry.
///
/// Nothing in the archive is trusted. For one thread; all calls block.
package final class ZipReader {
    /// What an archive has, as its directory says.
    package struct Totals: Sendable, Hashable {
        package var entries: UInt64 = 0
        package var bytes: UInt64 = 0
        package var packedBytes: UInt64 = 0
    }

    private let path: String
    let location: DirectoryLocation
    private let directory: FileWindow
    let content: FileWindow
    private var inflater: Inflater?
    /// Where the entries begin, in order, once the archive has been validated.
    private var starts: [UInt64] = []

    /// Finds the directory. Throws ``ArchiveError`` and `FileError`.
    ///
    /// - Parameter descriptor: a regular file, open for reading. It stays the caller's.
    package init(descriptor: Int32, path: String) throws {
        self.path = path
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileError(action: "read", path: path, code: errno) }
        // A record has at most three parts of 64 KiB.
        directory = FileWindow(descriptor: descriptor, path: path, bytes: 256 << 10)
        content = FileWindow(descriptor: descriptor, path: path, bytes: 256 << 10)
        location = try DirectoryLocation(in: directory, fileBytes: UInt64(max(0, status.st_size)))
    }

    /// Checks the whole directory: every entry by itself, the limits, and that no two entries share bytes.
    ///
    /// - Parameter checking: called with each entry; what it throws ends the call.
    package func validate(_ limits: ExtractionLimits, checking: (ZipEntry) throws -> Void) throws -> Totals {
        try limits.check(entries: location.entries)
        var totals = Totals()
        var ranges: [(start: UInt64, end: UInt64)] = []
        ranges.reserveCapacity(Int(location.entries))
        try forEach { entry in
            let start = entry.offset.addingReportingOverflow(location.base)
            let least = UInt64(ZipFormat.localHeaderBytes + entry.storedName.count)
            let header = start.partialValue.addingReportingOverflow(least)
            let end = header.partialValue.addingReportingOverflow(entry.packedBytes)
            guard !start.overflow, !header.overflow, !end.overflow, end.partialValue <= location.start else {
                throw ArchiveError.damagedEntry(name: entry.shownName, "it lies outside of the archive")
            }
            ranges.append((start.partialValue, end.partialValue))
            let bytes = totals.bytes.addingReportingOverflow(entry.bytes)
            guard !bytes.overflow else { throw ArchiveError.damaged("its entries have impossible sizes") }
            totals.entries += 1
            totals.bytes = bytes.partialValue
            totals.packedBytes += entry.packedBytes
            try limits.check(bytes: entry.bytes, packed: entry.packedBytes, of: "the entry \"\(entry.shownName)\"")
            try limits.check(bytes: totals.bytes, packed: .max, of: "its content")
            try checking(entry)
        }
        try limits.check(bytes: totals.bytes, packed: totals.packedBytes, of: "its content")
        ranges.sort { $0.start < $1.start }
        for (first, second) in zip(ranges, ranges.dropFirst()) where first.end > second.start {
            throw ArchiveError.refused("two of its entries share the same bytes")
        }
        starts = ranges.map(\.start)
        return totals
    }

    /// Calls `body` with each entry in the order of the directory, and checks the directory's own form.
    package func forEach(_ body: (ZipEntry) throws -> Void) throws {
        var position = location.start
        for _ in 0..<location.entries {
            guard position + UInt64(ZipFormat.centralHeaderBytes) <= location.end else {
                throw ArchiveError.damaged("its directory has fewer entries than it says")
            }
            let header = try CentralHeader(directory.bytes(at: position, count: ZipFormat.centralHeaderBytes))
            guard position + UInt64(header.totalBytes) <= location.end else {
                throw ArchiveError.damaged("its directory is longer than it says")
            }
            let variable = try directory.bytes(
                at: position + UInt64(ZipFormat.centralHeaderBytes), count: header.nameBytes + header.extraBytes)
            position += UInt64(header.totalBytes)
            try body(try header.entry(variable))
        }
        guard position == location.end else { throw ArchiveError.damaged("its directory has more than its entries") }
    }

    /// Reads the content of an entry, and checks it against its sizes, its checksum and its local header. What has been
    /// passed on is valid only when the call returns. Only after ``validate(_:checking:)``.
    package func read(_ entry: ZipEntry, take: (UnsafeRawBufferPointer) throws -> Void) throws {
        let start = entry.offset + location.base
        let local = try LocalHeader(of: entry, at: start, in: content)
        let end = local.contentStart + entry.packedBytes
        let limit = next(after: start)
        guard end <= limit else { throw ArchiveError.refused("two of its entries share the same bytes") }
        let inflater = try self.inflater ?? Inflater()
        self.inflater = inflater
        var (crc, made) = (UInt32(0), UInt64(0))
        func pass(_ bytes: UnsafeRawBufferPointer) throws {
            made += UInt64(bytes.count)
            guard made <= entry.bytes else {
                throw ArchiveError.damagedEntry(name: entry.shownName, "it has more content than it says")
            }
            crc = Inflater.crc(crc, bytes)
            try take(bytes)
        }
        if entry.isDeflated {
            try inflater.inflate(entry, from: local.contentStart, to: end, in: content, pass)
        } else {
            var position = local.contentStart
            while position < end {
                let found = try content.available(at: position, atLeast: 1)
                guard !found.isEmpty else { throw ArchiveError.notAnArchive("it ends too early") }
                let piece = UnsafeRawBufferPointer(rebasing: found.prefix(Int(clamping: end - position)))
                position += UInt64(piece.count)
                try pass(piece)
            }
        }
        guard made == entry.bytes else {
            throw ArchiveError.damagedEntry(name: entry.shownName, "it has less content than it says")
        }
        guard crc == entry.crc else {
            throw ArchiveError.damagedEntry(name: entry.shownName, "its checksum does not match its content")
        }
        if local.hasDescriptor {
            try DataDescriptor.check(of: entry, at: end, limit: limit, in: content)
        }
    }

    /// Where the next entry begins, or the directory.
    private func next(after start: UInt64) -> UInt64 {
        var (low, high) = (0, starts.count)
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] <= start { low = middle + 1 } else { high = middle }
        }
        return low < starts.count ? starts[low] : location.start
    }
}
