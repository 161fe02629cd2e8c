import BackgroundWorkArchive
import BackgroundWorkFiles
import BackgroundWorkSystem

/// The temporary folder into which an archive is extracted, locked for as long as it is open.
final class ExtractionFolder {
    let descriptor: Int32
    let name: String
    private let place: TargetFolder

    /// Creates it, for this user alone.
    init(creating name: String, in place: TargetFolder) throws {
        guard mkdirat(place.descriptor, name, 0o700) == 0 else {
            throw FileError(action: "create the folder", path: place.path + "/" + name, code: errno)
        }
        guard let opened = try Self.open(name, in: place) else { throw FileError.missing(place.path + "/" + name) }
        (descriptor, self.name, self.place) = (opened, name, place)
    }

    /// Opens the folder of an earlier run; `nil` if there is none. Throws ``WorkInProgressError`` while that run goes on.
    init?(existing name: String, in place: TargetFolder) throws {
        guard let opened = try Self.open(name, in: place) else { return nil }
        (descriptor, self.name, self.place) = (opened, name, place)
    }

    deinit { close(descriptor) }

    private static func open(_ name: String, in place: TargetFolder) throws -> Int32? {
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        let opened = SystemCall.repeated { openat(place.descriptor, name, flags) }
        guard opened >= 0 else {
            if errno == ENOENT { return nil }
            throw FileError(action: "open the folder", path: place.path + "/" + name, code: errno)
        }
        if flock(opened, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
            close(opened)
            throw WorkInProgressError()
        }
        return opened
    }

    /// Removes what an earlier run has left. Throws ``WorkInProgressError`` while that run goes on.
    static func removeAbandoned(_ name: String, in place: TargetFolder) throws {
        if try place.identity(of: name) == nil { return }
        do {
            try ExtractionFolder(existing: name, in: place)?.remove()
        } catch let error as FileError where error.code == ENOTDIR || error.code == ELOOP {
            // A file or a link: it is not ours.
            place.remove(name)
        }
    }

    var inode: UInt64? { FileIdentity(descriptor: descriptor)?.inode }

    func remove() throws {
        try TreeRemoval.remove(Array(name.utf8), in: place.descriptor, path: place.path + "/" + name)
    }
}
