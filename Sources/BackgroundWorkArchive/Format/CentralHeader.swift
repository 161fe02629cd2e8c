import BackgroundWorkSystem

/// A record of the central directory, as it is read.
struct CentralHeader {
    /// Its fixed part.
    let nameBytes, extraBytes, commentBytes: Int
    private let madeBy, flags, method: UInt16
    private let dosTime: DOSTime
    private let crc: UInt32
    private let packedBytes, bytes: UInt32
    private let disk: UInt16
    private let attributes: UInt32
    private let offset: UInt32

    /// Reads the fixed part. Throws ``ArchiveError/damaged(_:)``.
    init(_ record: UnsafeRawBufferPointer) throws(ArchiveError) {
        var reader = RecordReader(record)
        guard try reader.next(UInt32.self) == ZipFormat.centralHeader else {
            throw .damaged("a record of the central directory does not begin as one")
        }
        madeBy = try reader.next()
        _ = try reader.next(UInt16.self)
        flags = try reader.next()
        method = try reader.next()
        let (time, date) = (try reader.next(UInt16.self), try reader.next(UInt16.self))
        dosTime = DOSTime(bits: UInt32(date) << 16 | UInt32(time))
        crc = try reader.next()
        packedBytes = try reader.next()
        bytes = try reader.next()
        nameBytes = Int(try reader.next(UInt16.self))
        extraBytes = Int(try reader.next(UInt16.self))
        commentBytes = Int(try reader.next(UInt16.self))
        disk = try reader.next()
        _ = try reader.next(UInt16.self)
        attributes = try reader.next()
        offset = try reader.next()
    }

    /// The length of the whole record.
    var totalBytes: Int { ZipFormat.centralHeaderBytes + nameBytes + extraBytes + commentBytes }

    /// The entry. Throws ``ArchiveError`` for what contradicts itself, is not supported, or is refused.
    ///
    /// - Parameter variable: the bytes after the fixed part: the name and the extra fields.
    func entry(_ variable: UnsafeRawBufferPointer) throws(ArchiveError) -> ZipEntry {
        guard variable.count >= nameBytes + extraBytes else { throw .damaged("a record is shorter than it says") }
        let storedName = [UInt8](variable[..<nameBytes])
        let shown = ZipEntry.shown(storedName)
        let extra = try ExtraFields(
            UnsafeRawBufferPointer(rebasing: variable[nameBytes..<nameBytes + extraBytes]), of: shown,
            isLarge: (bytes == .max, packedBytes == .max, offset == .max), isLargeDisk: disk == .max)
        guard extra.disk ?? UInt32(disk) == 0 else { throw .unsupported("it is split into several files") }
        try checkSupport(shown)
        let name = try utf8Name(storedName, extra)
        let isFolder = name.last == UInt8(ascii: "/")
        var entry = ZipEntry(
            name: isFolder ? Array(name.dropLast(while: { $0 == UInt8(ascii: "/") })) : name,
            kind: try kind(isFolder: isFolder, shown), mode: permissions, modified: extra.modified ?? dosTime.seconds,
            isDeflated: method == ZipFormat.deflated, crc: crc,
            packedBytes: extra.packedBytes ?? UInt64(packedBytes), bytes: extra.bytes ?? UInt64(bytes),
            offset: extra.offset ?? UInt64(offset), flags: flags)
        // Refused later, by its name.
        if entry.name.isEmpty { entry.name = name }
        entry.storedName = storedName
        entry.isFromUnix = isFromUnix
        if !entry.isDeflated, entry.bytes != entry.packedBytes {
            throw .damagedEntry(name: shown, "it is stored, but its two sizes differ")
        }
        if entry.kind == .folder, entry.bytes != 0 { throw .damagedEntry(name: shown, "it is a folder with content") }
        return entry
    }

    private func checkSupport(_ shown: String) throws(ArchiveError) {
        if flags & (ZipFormat.encrypted | ZipFormat.stronglyEncrypted | ZipFormat.masked) != 0 || method == 99 {
            throw .unsupported("the entry \"\(shown)\" is encrypted")
        }
        if flags & ZipFormat.patched != 0 { throw .unsupported("the entry \"\(shown)\" is a patch of another file") }
        guard method == ZipFormat.stored || method == ZipFormat.deflated else {
            throw .unsupported(
                "the entry \"\(shown)\" is compressed by \(ZipFormat.name(ofMethod: method)); only Deflate and stored "
                    + "entries are supported")
        }
    }

    /// The system that has made the entry.
    private var system: UInt8 { UInt8(madeBy >> 8) }
    private var isFromUnix: Bool { system == ZipFormat.unix || system == ZipFormat.darwin }

    private var unixMode: UInt16 { isFromUnix ? UInt16(attributes >> 16) : 0 }

    private var permissions: UInt16? { unixMode == 0 ? nil : unixMode & 0o777 }

    private func kind(isFolder: Bool, _ shown: String) throws(ArchiveError) -> ZipEntry.Kind {
        switch mode_t(unixMode) & S_IFMT {
        case S_IFLNK where !isFolder: return .link
        case S_IFREG where !isFolder, 0: return isFolder ? .folder : .file
        case S_IFDIR where bytes == 0: return .folder
        case S_IFREG, S_IFLNK, S_IFDIR:
            throw .damagedEntry(name: shown, "its name and its attributes say different types")
        default: throw .refused("the entry \"\(shown)\" is neither a file nor a folder nor a link")
        }
    }

    /// Names are UTF-8 if a flag or an extra field says so; from Unix they are what they were there; otherwise they have
    /// MS-DOS's characters.
    private func utf8Name(_ stored: [UInt8], _ extra: ExtraFields) throws(ArchiveError) -> [UInt8] {
        if flags & ZipFormat.utf8 != 0 {
            guard String(validating: stored, as: UTF8.self) != nil else {
                throw .damagedEntry(name: ZipEntry.shown(stored), "its name is not valid UTF-8")
            }
            return stored
        }
        if let path = extra.unicodePath(for: stored) { return path }
        return isFromUnix ? stored : CodePage437.utf8(stored)
    }
}

extension [UInt8] {
    /// Without the elements at the end that satisfy the condition.
    fileprivate func dropLast(while condition: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        var end = endIndex
        while end > startIndex, condition(self[end - 1]) { end -= 1 }
        return self[..<end]
    }
}

/// The character set of names that are not UTF-8 (APPNOTE, appendix D).
enum CodePage437 {
    /// The characters from 0x80 on.
    private static let upper = Array(
        ("ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀"
            + "αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}").unicodeScalars)

    /// The text as UTF-8.
    static func utf8(_ bytes: [UInt8]) -> [UInt8] {
        if bytes.allSatisfy({ $0 < 0x80 }) { return bytes }
        var text = String.UnicodeScalarView()
        for byte in bytes { text.append(byte < 0x80 ? Unicode.Scalar(byte) : upper[Int(byte) - 0x80]) }
        return Array(String(text).utf8)
    }
}
