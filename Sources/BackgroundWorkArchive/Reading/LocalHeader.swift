/// The local header of an entry, which must say what the directory says.
struct LocalHeader {
    /// Where the content begins.
    let contentStart: UInt64
    let hasDescriptor: Bool

    /// Reads and compares it. Throws ``ArchiveError`` and `FileError`.
    init(of entry: ZipEntry, at position: UInt64, in window: FileWindow) throws {
        func damage(_ reason: String) -> ArchiveError { .damagedEntry(name: entry.shownName, reason) }
        var reader = RecordReader(try window.bytes(at: position, count: ZipFormat.localHeaderBytes))
        guard try reader.next(UInt32.self) == ZipFormat.localHeader else { throw damage("its local header is missing") }
        _ = try reader.next(UInt16.self)
        let flags = try reader.next(UInt16.self)
        let method = try reader.next(UInt16.self)
        _ = try reader.next(UInt32.self)
        let crc = try reader.next(UInt32.self)
        let (packed32, bytes32) = (try reader.next(UInt32.self), try reader.next(UInt32.self))
        let nameBytes = Int(try reader.next(UInt16.self))
        let extraBytes = Int(try reader.next(UInt16.self))
        let variable = try window.bytes(
            at: position + UInt64(ZipFormat.localHeaderBytes), count: nameBytes + extraBytes)
        guard method == (entry.isDeflated ? ZipFormat.deflated : ZipFormat.stored),
            flags & (ZipFormat.encrypted | ZipFormat.patched) == 0
        else { throw damage("its local header names another method") }
        guard variable[..<nameBytes].elementsEqual(entry.storedName) else {
            throw damage("its local header has another name")
        }
        hasDescriptor = flags & ZipFormat.hasDescriptor != 0
        contentStart = position + UInt64(ZipFormat.localHeaderBytes + nameBytes + extraBytes)
        let extra = try ExtraFields(
            UnsafeRawBufferPointer(rebasing: variable[nameBytes...]), of: entry.shownName,
            isLarge: (bytes32 == .max, packed32 == .max, false))
        let bytes = extra.bytes ?? UInt64(bytes32)
        let packed = extra.packedBytes ?? UInt64(packed32)
        // With a descriptor the numbers are usually 0 here.
        if hasDescriptor, crc == 0, bytes == 0, packed == 0 { return }
        guard crc == entry.crc || hasDescriptor && crc == 0 else {
            throw damage("its local header has another checksum")
        }
        guard bytes == entry.bytes || hasDescriptor && bytes == 0,
            packed == entry.packedBytes || hasDescriptor && packed == 0
        else { throw damage("its local header has other sizes") }
    }
}

/// The numbers after an entry's content, where the writer did not know them before.
enum DataDescriptor {
    /// Throws ``ArchiveError`` if they are not those of the entry. A descriptor may have a signature, and sizes of 32 or of
    /// 64 bits; nothing says which.
    static func check(of entry: ZipEntry, at position: UInt64, limit: UInt64, in window: FileWindow) throws {
        let found = try window.available(at: position, atLeast: 24)
        let bytes = UnsafeRawBufferPointer(rebasing: found.prefix(Int(clamping: min(24, limit - position))))
        for hasSignature in [true, false] {
            for isLarge in [false, true] where matches(bytes, entry, hasSignature, isLarge) { return }
        }
        throw ArchiveError.damagedEntry(name: entry.shownName, "its data descriptor is missing or has other numbers")
    }

    private static func matches(
        _ bytes: UnsafeRawBufferPointer, _ entry: ZipEntry, _ hasSignature: Bool, _ isLarge: Bool
    ) -> Bool {
        var expected: [UInt8] = []
        if hasSignature { expected.append(littleEndian: ZipFormat.dataDescriptor) }
        expected.append(littleEndian: entry.crc)
        for number in [entry.packedBytes, entry.bytes] {
            if isLarge {
                expected.append(littleEndian: number)
            } else {
                expected.append(littleEndian: UInt32(truncatingIfNeeded: number))
            }
        }
        return bytes.starts(with: expected)
    }
}
