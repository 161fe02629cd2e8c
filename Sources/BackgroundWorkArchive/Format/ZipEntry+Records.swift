import BackgroundWorkSystem

/// The records that the writer makes of an entry.
extension ZipEntry {
    /// The local header. The checksum and the sizes are those that the entry has now.
    ///
    /// - Parameter isLarge: whether the sizes are written with 64 bits.
    func localHeader(isLarge: Bool) -> [UInt8] {
        var record: [UInt8] = []
        record.reserveCapacity(ZipFormat.localHeaderBytes + storedName.count + 29)
        record.append(littleEndian: ZipFormat.localHeader)
        record.append(littleEndian: versionNeeded(isLarge: isLarge))
        appendCommon(to: &record)
        record.append(littleEndian: crc)
        record.append(littleEndian: isLarge ? ZipFormat.isLarge32 : UInt32(truncatingIfNeeded: packedBytes))
        record.append(littleEndian: isLarge ? ZipFormat.isLarge32 : UInt32(truncatingIfNeeded: bytes))
        record.append(littleEndian: UInt16(storedName.count))
        record.append(littleEndian: UInt16((isLarge ? 20 : 0) + timesBytes))
        record += storedName
        if isLarge {
            record.append(littleEndian: ZipFormat.largeField)
            record.append(littleEndian: UInt16(16))
            record.append(littleEndian: bytes)
            record.append(littleEndian: packedBytes)
        }
        appendTimes(to: &record)
        return record
    }

    /// The entry's record in the central directory.
    ///
    /// - Parameters:
    ///   - isLarge: whether the local header has 64-bit sizes.
    ///   - limit: numbers from here on are written with 64 bits; `UInt32.max` but for tests.
    func centralHeader(isLarge: Bool, limit: UInt64) -> [UInt8] {
        let large = [bytes, packedBytes, offset].map { $0 >= limit }
        let largeBytes = large.contains(true) ? 4 + 8 * large.count(where: { $0 }) : 0
        var record: [UInt8] = []
        record.reserveCapacity(ZipFormat.centralHeaderBytes + storedName.count + 37)
        record.append(littleEndian: ZipFormat.centralHeader)
        // Made by version 6.3 of the format, on Unix, as which macOS counts as well.
        record.append(littleEndian: UInt16(ZipFormat.unix) << 8 | 63)
        record.append(littleEndian: versionNeeded(isLarge: isLarge || largeBytes > 0))
        appendCommon(to: &record)
        record.append(littleEndian: crc)
        record.append(littleEndian: large[1] ? ZipFormat.isLarge32 : UInt32(truncatingIfNeeded: packedBytes))
        record.append(littleEndian: large[0] ? ZipFormat.isLarge32 : UInt32(truncatingIfNeeded: bytes))
        record.append(littleEndian: UInt16(storedName.count))
        record.append(littleEndian: UInt16(largeBytes + timesBytes))
        // No comment, the first disk, no internal attributes.
        record.append(littleEndian: UInt16(0))
        record.append(littleEndian: UInt16(0))
        record.append(littleEndian: UInt16(0))
        record.append(littleEndian: externalAttributes)
        record.append(littleEndian: large[2] ? ZipFormat.isLarge32 : UInt32(truncatingIfNeeded: offset))
        record += storedName
        if largeBytes > 0 {
            record.append(littleEndian: ZipFormat.largeField)
            record.append(littleEndian: UInt16(largeBytes - 4))
            for (number, isLarge) in zip([bytes, packedBytes, offset], large) where isLarge {
                record.append(littleEndian: number)
            }
        }
        appendTimes(to: &record)
        return record
    }

    /// Where the checksum, and after it both sizes, are in a local header.
    static let checksumOffset = 14

    /// Where the 64-bit sizes are in a local header that has them.
    var largeSizesOffset: Int { ZipFormat.localHeaderBytes + storedName.count + 4 }

    private func versionNeeded(isLarge: Bool) -> UInt16 { isLarge ? 45 : 20 }

    private func appendCommon(to record: inout [UInt8]) {
        record.append(littleEndian: flags)
        record.append(littleEndian: isDeflated ? ZipFormat.deflated : ZipFormat.stored)
        let time = DOSTime(seconds: modified ?? 0)
        record.append(littleEndian: UInt16(truncatingIfNeeded: time.bits))
        record.append(littleEndian: UInt16(truncatingIfNeeded: time.bits >> 16))
    }

    /// The extended timestamp has 32 bits with a sign.
    private var time32: Int32? { modified.flatMap { Int32(exactly: $0) } }

    private var timesBytes: Int { time32 == nil ? 0 : 9 }

    private func appendTimes(to record: inout [UInt8]) {
        guard let time32 else { return }
        record.append(littleEndian: ZipFormat.timesField)
        record.append(littleEndian: UInt16(5))
        // Only the time of the last change.
        record.append(1)
        record.append(littleEndian: time32)
    }

    /// Type and permissions as Unix has them, and the attribute of MS-DOS that marks a folder.
    private var externalAttributes: UInt32 {
        let type =
            switch kind {
            case .file: UInt32(S_IFREG)
            case .folder: UInt32(S_IFDIR)
            case .link: UInt32(S_IFLNK)
            }
        return (type | UInt32(mode ?? 0)) << 16 | (kind == .folder ? 0x10 : 0)
    }
}
