import BackgroundWorkFiles
import BackgroundWorkSystem

/// An open folder of a tree, from which one moves down by names and up again.
///
/// Links are not followed. One descriptor is open at a time, and every step takes one name, so the tree may be as deep as
/// it likes. For one thread; all calls block.
package final class FolderCursor {
    /// A folder on the way from the root to here.
    private struct Level {
        var name: [UInt8]
        /// The folder above it, to which ".." has to lead.
        var above: FileIdentity
        /// A hash of its path from the root.
        var hash: Int
    }

    private let root: Int32
    private let rootPath: String
    private var levels: [Level] = []
    /// The folder, for calls such as openat(2).
    package private(set) var descriptor: Int32

    /// - Parameters:
    ///   - root: an open folder, which stays the caller's.
    ///   - path: its path, for errors.
    package init(root: Int32, path: String) throws {
        self.root = root
        rootPath = path
        descriptor = try Self.open([UInt8(ascii: ".")], in: root, path: path)
    }

    deinit { close(descriptor) }

    /// The names from the root to here.
    package var components: [[UInt8]] { levels.map(\.name) }

    /// The last of them; `nil` at the root.
    package var name: [UInt8]? { levels.last?.name }

    package var depth: Int { levels.count }

    /// A hash of the path that a name in the folder has from the root, the same in this process only.
    package func hash(of name: some Sequence<UInt8>) -> Int {
        var hasher = Hasher()
        hasher.combine(levels.last?.hash ?? 0)
        hasher.combine(Array(name))
        return hasher.finalize()
    }

    /// The path of a name in the folder, for messages.
    package func path(of name: [UInt8]) -> String {
        let parts = levels.prefix(20).map(\.name) + (levels.count > 20 ? [Array("…".utf8)] : []) + [name]
        return rootPath + "/" + parts.map { ZipEntry.shown($0) }.joined(separator: "/")
    }

    /// Moves into a folder. Throws ``FileError`` when there is none with that name.
    package func enter(_ name: [UInt8]) throws {
        guard let here = FileIdentity(descriptor: descriptor) else {
            throw FileError(action: "inspect", path: path(of: []), code: errno)
        }
        let next = try Self.open(name, in: descriptor, path: path(of: name))
        close(descriptor)
        descriptor = next
        levels.append(Level(name: name, above: here, hash: hash(of: name)))
    }

    /// Moves to the folder above. Throws ``FileError`` with ENOENT when the folder has been moved elsewhere meanwhile.
    package func leave() throws {
        guard let last = levels.popLast() else { return }
        let up = SystemCall.repeated { openat(descriptor, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        if up >= 0, FileIdentity(descriptor: up)?.isSameFile(as: last.above) == true {
            close(descriptor)
            descriptor = up
            return
        }
        if up >= 0 { close(up) }
        // It was moved. The names may still lead to the folder above.
        let names = levels.map(\.name)
        try returnToRoot()
        for name in names { try enter(name) }
        guard FileIdentity(descriptor: descriptor)?.isSameFile(as: last.above) == true else {
            throw FileError(action: "find again", path: path(of: last.name), code: ENOENT)
        }
    }

    /// Moves to the root.
    package func returnToRoot() throws {
        let top = try Self.open([UInt8(ascii: ".")], in: root, path: rootPath)
        close(descriptor)
        descriptor = top
        levels.removeAll()
    }

    /// Moves to a folder by its names from the root.
    package func move(to names: some Collection<ArraySlice<UInt8>>) throws {
        try move(to: names) { try enter(Array($0)) }
    }

    /// The same, with `entering` to move into each name.
    package func move(
        to names: some Collection<ArraySlice<UInt8>>, entering: (ArraySlice<UInt8>) throws -> Void
    ) throws {
        var common = zip(levels, names).prefix { $0.name.elementsEqual($1) }.count
        do {
            while levels.count > common { try leave() }
        } catch is FileError {
            try returnToRoot()
            common = 0
        }
        for name in names.dropFirst(common) { try entering(name) }
    }

    private static func open(_ name: [UInt8], in folder: Int32, path: @autoclosure () -> String) throws -> Int32 {
        let opened = SystemCall.repeated {
            Name.withCString(name) { openat(folder, $0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
        }
        guard opened >= 0 else { throw FileError(action: "open the folder", path: path(), code: errno) }
        return opened
    }
}

/// File names as the system takes them.
package enum Name {
    package static func withCString<Result>(
        _ name: some Collection<UInt8>, _ body: (UnsafePointer<CChar>) throws -> Result
    ) rethrows -> Result {
        try withUnsafeTemporaryAllocation(of: CChar.self, capacity: name.count + 1) { buffer in
            for (index, byte) in name.enumerated() { buffer[index] = CChar(bitPattern: byte) }
            buffer[name.count] = 0
            guard let base = buffer.baseAddress else { return try body("") }
            return try body(base)
        }
    }
}
