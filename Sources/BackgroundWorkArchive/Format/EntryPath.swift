/// The components of an entry's name, checked so that they cannot lead out of the folder in which they are created.
package struct EntryPath: Sendable, Hashable {
    package let components: [ArraySlice<UInt8>]

    /// The most bytes of one component, as nearly all file systems have it.
    private static let longestComponent = 255

    /// Throws ``ArchiveError/refused(_:)`` for an absolute path, "..", a backslash, a drive letter, NUL, or a component
    /// that is too long. Doubled slashes and "." are left out, so the result of a folder's name may be empty.
    ///
    /// - Parameter isFromUnix: whether a backslash is a character as others, as on the system of the archive. One beside
    ///   ".." is refused nevertheless.
    package init(_ name: [UInt8], isFromUnix: Bool = false) throws(ArchiveError) {
        func refusal(_ reason: String) -> ArchiveError {
            .refused("the entry \"\(ZipEntry.shown(name))\" \(reason)")
        }
        if name.isEmpty { throw refusal("has no name") }
        if name[0] == UInt8(ascii: "/") { throw refusal("has an absolute path") }
        if name.contains(0) { throw refusal("has a NUL in its name") }
        if name.contains(UInt8(ascii: "\\")) {
            let parts = name.split { $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "/") }
            guard isFromUnix, !parts.contains(where: { $0.elementsEqual("..".utf8) }) else {
                throw refusal("has a backslash in its name")
            }
        }
        if name.count >= 2, name[1] == UInt8(ascii: ":"), (0x61...0x7a).contains(name[0] | 0x20) {
            throw refusal("begins with a drive letter")
        }
        var components: [ArraySlice<UInt8>] = []
        for part in name.split(separator: UInt8(ascii: "/")) where part != [UInt8(ascii: ".")] {
            if part.elementsEqual("..".utf8) { throw refusal("has \"..\" in its path") }
            if part.count > Self.longestComponent {
                throw refusal("has a part of \(part.count) bytes in its path; the limit is \(Self.longestComponent)")
            }
            components.append(part)
        }
        self.components = components
    }

    /// Whether a link at this path leads to something below the same folder, however it is followed.
    ///
    /// Its target must be relative and have ".." only at the beginning, at most as often as the path has folders. By
    /// induction no chain of such links leads out: each ".." is taken from a true folder, and each later step goes down.
    package func contains(target: [UInt8]) -> Bool {
        if target.isEmpty || target[0] == UInt8(ascii: "/") || target.contains(0) { return false }
        var isDescending = false
        var height = components.count - 1
        for part in target.split(separator: UInt8(ascii: "/")) where part != [UInt8(ascii: ".")] {
            if part.elementsEqual("..".utf8) {
                height -= 1
                if isDescending || height < 0 { return false }
            } else {
                isDescending = true
            }
        }
        return true
    }
}
