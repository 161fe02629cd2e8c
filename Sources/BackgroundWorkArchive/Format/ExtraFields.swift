import CBackgroundWorkZlib

/// The extra fields of a header that matter here. Others are skipped.
struct ExtraFields {
    private(set) var bytes, packedBytes, offset: UInt64?
    private(set) var disk: UInt32?
    /// In seconds since 1970.
    private(set) var modified: Int64?
    private var unicodePath: (crc: UInt32, name: [UInt8])?

    /// - Parameters:
    ///   - shown: the entry's name, for errors.
    ///   - isLarge: which numbers of the header are in the ZIP64 field: size, packed size, offset.
    ///   - isLargeDisk: the same for the number of the disk.
    init(
        _ fields: UnsafeRawBufferPointer, of shown: String, isLarge: (Bool, Bool, Bool), isLargeDisk: Bool = false
    ) throws(ArchiveError) {
        var reader = RecordReader(fields)
        // Less than a field's head at the end is padding, which some programs write.
        while reader.rest >= 4 {
            let identifier = try reader.next(UInt16.self)
            let count = Int(try reader.next(UInt16.self))
            guard reader.rest >= count else {
                throw .damagedEntry(name: shown, "its extra fields are longer than the header says")
            }
            var field = RecordReader(try reader.next(count: count))
            switch identifier {
            case ZipFormat.largeField:
                if isLarge.0 { bytes = try field.next() }
                if isLarge.1 { packedBytes = try field.next() }
                if isLarge.2 { offset = try field.next() }
                if isLargeDisk { disk = try field.next() }
            case ZipFormat.timesField where count >= 5:
                if try field.next(UInt8.self) & 1 != 0 { modified = Int64(try field.next(Int32.self)) }
            case ZipFormat.unicodePathField where count >= 5:
                if try field.next(UInt8.self) == 1 {
                    unicodePath = (try field.next(), [UInt8](try field.next(count: field.rest)))
                }
            default: break
            }
        }
        if isLarge.0 && bytes == nil || isLarge.1 && packedBytes == nil || isLarge.2 && offset == nil {
            throw .damagedEntry(name: shown, "its ZIP64 field is missing")
        }
    }

    /// The name in UTF-8, if a field has one that belongs to the stored name.
    func unicodePath(for stored: [UInt8]) -> [UInt8]? {
        guard let unicodePath, unicodePath.crc == bgw_crc32(0, stored, stored.count),
            String(validating: unicodePath.name, as: UTF8.self) != nil
        else { return nil }
        return unicodePath.name
    }
}
