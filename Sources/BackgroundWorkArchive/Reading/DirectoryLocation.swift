/// Where the central directory of an archive is.
struct DirectoryLocation {
    let entries: UInt64
    let start, end: UInt64
    /// What is to be added to every offset of the archive: the length of what was put before it.
    let base: UInt64

    /// Finds it from the end of the file. Throws ``ArchiveError`` and `FileError`.
    init(in window: FileWindow, fileBytes: UInt64) throws {
        let longest = UInt64(ZipFormat.endBytes) + UInt64(UInt16.max)
        let searched = min(fileBytes, longest)
        let offset = fileBytes - searched
        let tail = [UInt8](try window.bytes(at: offset, count: Int(searched)))
        guard let found = Self.endRecord(in: tail) else {
            throw ArchiveError.notAnArchive("the record of its end is missing")
        }
        let position = offset + UInt64(found)
        var (record, large) = try tail.withUnsafeBytes { bytes in
            (try EndRecord(UnsafeRawBufferPointer(rebasing: bytes[found...])), LargeEnd?.none)
        }
        if position >= UInt64(ZipFormat.largeEndLocatorBytes) {
            large = try Self.largeEnd(before: position, window)
        }
        try record.check(hasLarge: large != nil)
        let end = large?.position ?? position
        if let large { record.use(large) }
        entries = record.entries
        guard record.directoryBytes <= end, record.directoryOffset <= end - record.directoryBytes else {
            throw ArchiveError.damaged("its directory is not where it should be")
        }
        self.end = end
        start = end - record.directoryBytes
        base = start - record.directoryOffset
        guard record.entries <= record.directoryBytes / UInt64(ZipFormat.centralHeaderBytes) else {
            throw ArchiveError.damaged("its directory is too small for \(record.entries) entries")
        }
    }

    /// The last record whose comment ends with the file.
    private static func endRecord(in tail: [UInt8]) -> Int? {
        guard tail.count >= ZipFormat.endBytes else { return nil }
        return (0...tail.count - ZipFormat.endBytes).reversed().first { index in
            tail[index] == 0x50 && tail[index + 1] == 0x4b && tail[index + 2] == 5 && tail[index + 3] == 6
                && index + ZipFormat.endBytes + Int(tail[index + 20]) + Int(tail[index + 21]) << 8 == tail.count
        }
    }

    private static func largeEnd(before position: UInt64, _ window: FileWindow) throws -> LargeEnd? {
        let locator = position - UInt64(ZipFormat.largeEndLocatorBytes)
        var reader = RecordReader(try window.bytes(at: locator, count: ZipFormat.largeEndLocatorBytes))
        guard try reader.next(UInt32.self) == ZipFormat.largeEndLocator else { return nil }
        let disk = try reader.next(UInt32.self)
        let offset = try reader.next(UInt64.self)
        let disks = try reader.next(UInt32.self)
        guard disk == 0, disks <= 1 else { throw ArchiveError.unsupported("it is split into several files") }
        // Where it should be; or, with something before the archive, right before the locator.
        for place in [offset, locator - min(locator, UInt64(ZipFormat.largeEndBytes))]
        where place <= locator - min(locator, UInt64(ZipFormat.largeEndBytes)) {
            let record = try window.bytes(at: place, count: ZipFormat.largeEndBytes)
            if let end = try LargeEnd(record, at: place, before: locator) { return end }
        }
        throw ArchiveError.damaged("its ZIP64 record is missing")
    }
}

/// The ZIP64 record of the end.
private struct LargeEnd {
    let position: UInt64
    let entries, directoryBytes, directoryOffset: UInt64

    init?(_ record: UnsafeRawBufferPointer, at position: UInt64, before locator: UInt64) throws(ArchiveError) {
        var reader = RecordReader(record)
        guard try reader.next(UInt32.self) == ZipFormat.largeEnd else { return nil }
        let bytes = try reader.next(UInt64.self)
        guard bytes <= locator, position + 12 + bytes == locator else {
            throw .damaged("its ZIP64 record has a wrong length")
        }
        _ = try reader.next(UInt32.self)
        let (disk, start) = (try reader.next(UInt32.self), try reader.next(UInt32.self))
        let here = try reader.next(UInt64.self)
        entries = try reader.next()
        guard disk == 0, start == 0, here == entries else { throw .unsupported("it is split into several files") }
        directoryBytes = try reader.next()
        directoryOffset = try reader.next()
        self.position = position
    }
}

/// The record of the end that every archive has.
private struct EndRecord {
    private let disk, start, here: UInt16
    private(set) var entries, directoryBytes, directoryOffset: UInt64

    init(_ record: UnsafeRawBufferPointer) throws(ArchiveError) {
        var reader = RecordReader(record)
        _ = try reader.next(UInt32.self)
        disk = try reader.next()
        start = try reader.next()
        here = try reader.next()
        entries = UInt64(try reader.next(UInt16.self))
        directoryBytes = UInt64(try reader.next(UInt32.self))
        directoryOffset = UInt64(try reader.next(UInt32.self))
    }

    func check(hasLarge: Bool) throws(ArchiveError) {
        func isOnlyOne(_ number: UInt16) -> Bool { number == 0 || hasLarge && number == ZipFormat.isLarge16 }
        guard isOnlyOne(disk), isOnlyOne(start), UInt64(here) == entries else {
            throw .unsupported("it is split into several files")
        }
    }

    /// Takes the numbers that do not fit here. Others have to be the same.
    mutating func use(_ large: LargeEnd) {
        if entries == UInt64(ZipFormat.isLarge16) { entries = large.entries }
        if directoryBytes == UInt64(ZipFormat.isLarge32) { directoryBytes = large.directoryBytes }
        if directoryOffset == UInt64(ZipFormat.isLarge32) { directoryOffset = large.directoryOffset }
    }
}
