/// The records after the central directory.
struct EndOfDirectory {
    var entries: UInt64
    var directoryBytes: UInt64
    var directoryOffset: UInt64

    /// The records as the writer makes them.
    ///
    /// - Parameter limits: numbers from there on need ZIP64 records.
    func records(_ limits: ZipLimits) -> [UInt8] {
        let isLarge =
            entries >= limits.entries || directoryBytes >= limits.bytes || directoryOffset >= limits.bytes
        var record: [UInt8] = []
        if isLarge {
            record.append(littleEndian: ZipFormat.largeEnd)
            record.append(littleEndian: UInt64(ZipFormat.largeEndBytes - 12))
            record.append(littleEndian: UInt16(ZipFormat.unix) << 8 | 63)
            record.append(littleEndian: UInt16(45))
            record.append(littleEndian: UInt32(0))
            record.append(littleEndian: UInt32(0))
            record.append(littleEndian: entries)
            record.append(littleEndian: entries)
            record.append(littleEndian: directoryBytes)
            record.append(littleEndian: directoryOffset)
            record.append(littleEndian: ZipFormat.largeEndLocator)
            record.append(littleEndian: UInt32(0))
            record.append(littleEndian: directoryOffset + directoryBytes)
            record.append(littleEndian: UInt32(1))
        }
        let entries16 = entries >= limits.entries ? ZipFormat.isLarge16 : UInt16(truncatingIfNeeded: entries)
        record.append(littleEndian: ZipFormat.end)
        record.append(littleEndian: UInt16(0))
        record.append(littleEndian: UInt16(0))
        record.append(littleEndian: entries16)
        record.append(littleEndian: entries16)
        for number in [directoryBytes, directoryOffset] {
            record.append(
                littleEndian: number >= limits.bytes ? ZipFormat.isLarge32 : UInt32(truncatingIfNeeded: number))
        }
        record.append(littleEndian: UInt16(0))
        return record
    }
}

/// From which numbers on the writer uses ZIP64. Lower ones are for tests.
package struct ZipLimits: Sendable, Hashable {
    package var bytes: UInt64
    package var entries: UInt64
    /// Files from this length on get a local header with 64-bit sizes, since compression may make them longer.
    package var largeFile: UInt64

    package init(bytes: UInt64, entries: UInt64, largeFile: UInt64) {
        self.bytes = bytes
        self.entries = entries
        self.largeFile = largeFile
    }

    /// Those of the format.
    package static let standard = ZipLimits(
        bytes: UInt64(UInt32.max), entries: UInt64(UInt16.max), largeFile: 0xff00_0000)
}
