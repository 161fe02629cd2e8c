import BackgroundWorkArchive
import BackgroundWorkFiles
import BackgroundWorkSystem

/// The names of what a work item has not finished yet. They depend on the item alone, so its next run finds what one
/// that was killed has left.
struct WorkTemporaryNames: Sendable, Hashable {
    let main: String

    /// - Parameters:
    ///   - target: the name of the file or folder that is to be made, of which the beginning is shown; empty for none.
    ///   - workID: the work item's.
    init(target: String, workID: String) {
        // FNV-1a, 64 bits. Who makes two ids alike gains nothing: the temporaries are locked.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in workID.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        let digits = String(hash, radix: 16)
        let padded = String(repeating: "0", count: 16 - digits.utf8.count) + digits
        let shown = String(decoding: target.utf8.prefix(120), as: UTF8.self)
        main = (shown.isEmpty ? "" : "." + shown) + ".bgwork-" + padded
    }

    /// Which originals are to be deleted.
    var originals: String { main + ".list" }
    /// The archive's directory while it is too large for memory.
    var directory: String { main + ".directory" }
}

/// Another run of the same work, or a thread of an earlier one, has not ended yet.
struct WorkInProgressError: Error {}

/// A new file under a temporary name, locked for as long as it is open.
final class WorkTemporary {
    let descriptor: Int32
    let name: String
    private let folder: TargetFolder

    /// Removes what an earlier run has left. Throws ``WorkInProgressError`` while that run goes on.
    init(_ name: String, in folder: TargetFolder) throws {
        self.name = name
        self.folder = folder
        try Self.removeAbandoned(name, in: folder)
        descriptor = try folder.open(name, O_RDWR | O_CREAT | O_EXCL, mode: 0o666)
        _ = flock(descriptor, LOCK_EX | LOCK_NB)
    }

    deinit { close(descriptor) }

    /// Removes a file that no process has locked.
    static func removeAbandoned(_ name: String, in folder: TargetFolder) throws {
        let old = SystemCall.repeated {
            openat(folder.descriptor, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        }
        if old >= 0 {
            defer { close(old) }
            if flock(old, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { throw WorkInProgressError() }
            folder.remove(name)
        } else if errno != ENOENT {
            // A link, or something that is not a file: it is not ours, and is never written to.
            folder.remove(name)
        }
    }

    /// Removes a file or a folder that no process has locked.
    static func removeAny(_ name: String, in folder: TargetFolder) throws {
        if try folder.hasFolder(name) {
            try ExtractionFolder.removeAbandoned(name, in: folder)
        } else {
            try removeAbandoned(name, in: folder)
        }
    }

    var identity: FileIdentity? { FileIdentity(descriptor: descriptor) }

    /// Writes it to the disk. Throws when its name leads to another file by now.
    func synchronize() throws {
        let path = folder.path + "/" + name
        try DurableFile.synchronize(descriptor, path: path)
        guard let named = try folder.identity(of: name), let own = identity, named.isSameFile(as: own) else {
            throw FileError.missing(path)
        }
    }

    func remove() {
        guard let named = try? folder.identity(of: name), let own = identity, named.isSameFile(as: own) else { return }
        folder.remove(name)
    }
}

extension TargetFolder {
    /// Makes the names in it durable.
    func synchronize() throws {
        let readable = SystemCall.repeated { openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard readable >= 0 else { throw FileError(action: "open the folder", path: path, code: errno) }
        defer { close(readable) }
        guard SystemCall.repeated({ fsync(readable) }) == 0 else {
            throw FileError(action: "synchronize the folder", path: path, code: errno)
        }
    }
}
