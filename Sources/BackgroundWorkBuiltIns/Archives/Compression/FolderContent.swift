import BackgroundWorkArchive
import BackgroundWorkFiles
import BackgroundWorkSystem

/// Adds what is in a folder to an archive.
final class FolderContent {
    /// What was found beside the entries.
    struct Counts {
        var excluded = 0
        var skipped = 0
        var vanished = 0
    }

    private let input: CompressionInput
    private let exclusions: Exclusions
    /// Files that are the archive itself, or become it.
    private let own: [FileIdentity]
    private(set) var counts = Counts()
    /// The name in the archive of the folder that is visited.
    private var folderName: [UInt8]

    init(_ input: CompressionInput, _ exclusions: Exclusions, leavingOut own: [FileIdentity]) {
        self.input = input
        self.exclusions = exclusions
        self.own = own
        folderName = input.name
    }

    /// The length of all files that would be added now.
    func totalBytes(_ flag: CancellationFlag) throws -> UInt64 {
        let cursor = try FolderCursor(root: input.descriptor, path: input.path)
        var total: UInt64 = 0
        try TreeWalk(cursor).run { name, type in
            try flag.check()
            guard !isExcluded(name, type, cursor) else { return .leaveOut }
            var status = stat()
            if type == S_IFREG,
                Name.withCString(name, { fstatat(cursor.descriptor, $0, &status, AT_SYMLINK_NOFOLLOW) }) == 0
            {
                total += UInt64(max(0, status.st_size))
            }
            return .goOn
        }
        return total
    }

    /// Adds everything: the folder itself, then what is in it.
    func add(to adder: EntryAdder, _ flag: CancellationFlag) throws {
        let cursor = try FolderCursor(root: input.descriptor, path: input.path)
        try adder.addFolder(name: input.name, input.status)
        try TreeWalk(cursor).run { name, type in
            try flag.check()
            guard !isExcluded(name, type, cursor) else {
                counts.excluded += 1
                return .leaveOut
            }
            try visit(name, type, cursor, adder)
            return .goOn
        } entered: {
            if let name = cursor.name { folderName = entryName(name) }
            var status = stat()
            guard fstat(cursor.descriptor, &status) == 0 else {
                throw FileError(action: "inspect", path: cursor.path(of: []), code: errno)
            }
            try adder.addFolder(name: folderName, status)
        } left: { name in
            folderName.removeLast(name.count + 1)
        } vanished: {
            counts.vanished += 1
        }
    }

    private func isExcluded(_ name: [UInt8], _ type: mode_t, _ cursor: FolderCursor) -> Bool {
        exclusions.matches(folders: cursor.components, name: name, isFolder: type == S_IFDIR)
    }

    private func visit(_ name: [UInt8], _ type: mode_t, _ cursor: FolderCursor, _ adder: EntryAdder) throws {
        do {
            switch type {
            case S_IFDIR: break
            case S_IFREG: try addFile(name, cursor, adder)
            case S_IFLNK: try adder.addLink(name: entryName(name), name, cursor)
            case 0: counts.vanished += 1
            default: counts.skipped += 1
            }
        } catch let error as FileError where error.code == ENOENT {
            counts.vanished += 1
        }
    }

    private func addFile(_ name: [UInt8], _ cursor: FolderCursor, _ adder: EntryAdder) throws {
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        let file = SystemCall.repeated { Name.withCString(name) { openat(cursor.descriptor, $0, flags) } }
        guard file >= 0 else {
            // It has become a link since its name was read, or a socket.
            if errno == ELOOP || errno == ENXIO {
                counts.vanished += 1
                return
            }
            throw FileError(action: "read", path: cursor.path(of: name), code: errno)
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else {
            throw FileError(action: "inspect", path: cursor.path(of: name), code: errno)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            counts.skipped += 1
            return
        }
        if let identity = FileIdentity(descriptor: file), own.contains(where: { $0.isSameFile(as: identity) }) {
            return
        }
        try adder.addFile(name: entryName(name), file, status, path: cursor.path(of: name))
    }

    private func entryName(_ name: [UInt8]) -> [UInt8] { folderName + [UInt8(ascii: "/")] + name }
}
