/// An entry of an archive, as its central directory has it.
package struct ZipEntry: Sendable, Hashable {
    package enum Kind: Sendable, Hashable { case file, folder, link }

    /// Without a slash at the end, also of a folder. Bytes, since names of files need not be text.
    package var name: [UInt8]
    package var kind: Kind
    /// The permissions, without set-user-ID and the like; `nil` when the archive has none.
    package var mode: UInt16?
    /// When its content was last changed, in seconds since 1970; `nil` when the archive does not say.
    package var modified: Int64?
    package var isDeflated: Bool
    package var crc: UInt32
    package var packedBytes: UInt64
    package var bytes: UInt64
    /// Where its local header is.
    package var offset: UInt64
    var flags: UInt16
    /// Whether it was made on a system where a backslash in a name is a character as others.
    var isFromUnix = false
    /// The name as it is stored, to be compared with that of the local header.
    var storedName: [UInt8]

    package init(
        name: [UInt8], kind: Kind, mode: UInt16? = nil, modified: Int64? = nil, isDeflated: Bool = false,
        crc: UInt32 = 0, packedBytes: UInt64 = 0, bytes: UInt64 = 0, offset: UInt64 = 0, flags: UInt16 = 0
    ) {
        self.name = name
        self.kind = kind
        self.mode = mode
        self.modified = modified
        self.isDeflated = isDeflated
        self.crc = crc
        self.packedBytes = packedBytes
        self.bytes = bytes
        self.offset = offset
        self.flags = flags
        storedName = name
    }

    /// The components of its name. Throws ``ArchiveError/refused(_:)`` for a name that may lead elsewhere.
    package func path() throws(ArchiveError) -> EntryPath { try EntryPath(name, isFromUnix: isFromUnix) }

    /// Its name for messages: at most 200 bytes, without control characters.
    package var shownName: String { Self.shown(name) }

    package static func shown(_ name: [UInt8]) -> String {
        let text = String(decoding: name.prefix(200), as: UTF8.self)
        var shown = String(
            String.UnicodeScalarView(
                text.unicodeScalars.map {
                    switch $0.properties.generalCategory {
                    case .control, .format, .lineSeparator, .paragraphSeparator: "\u{fffd}"
                    default: $0
                    }
                }))
        if name.count > 200 { shown += "…" }
        return shown
    }
}
