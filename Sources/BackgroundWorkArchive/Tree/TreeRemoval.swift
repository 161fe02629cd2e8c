import BackgroundWorkFiles
import BackgroundWorkSystem

/// Removes a folder with all that is in it, however deep. Links are removed, not followed.
package enum TreeRemoval {
    /// Does nothing if there is nothing with the name. A file or a link is removed as well.
    package static func remove(_ name: [UInt8], in folder: Int32, path: String) throws {
        if try unlink(name, in: folder) { return }
        let opened = SystemCall.repeated {
            Name.withCString(name) { openat(folder, $0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
        }
        guard opened >= 0 else { throw FileError(action: "remove", path: path, code: errno) }
        defer { close(opened) }
        for _ in 0..<mostTries {
            let cursor = try FolderCursor(root: opened, path: path)
            try TreeWalk(cursor).run { name, type in
                if type != S_IFDIR { _ = try unlink(name, in: cursor.descriptor) }
                return .goOn
            } left: { name in
                _ = try removeFolder(name, in: cursor.descriptor, path: cursor.path(of: name))
            }
            if try removeFolder(name, in: folder, path: path) { return }
        }
        throw FileError(action: "remove", path: path, code: ENOTEMPTY)
    }

    /// Some file systems leave out names when others are removed while a folder is read.
    private static let mostTries = 5

    /// Whether it is gone; false for a folder.
    private static func unlink(_ name: [UInt8], in folder: Int32) throws -> Bool {
        if SystemCall.repeated({ Name.withCString(name) { unlinkat(folder, $0, 0) } }) == 0 { return true }
        return errno == ENOENT
    }

    /// Whether it is gone; false if there is something in it.
    private static func removeFolder(_ name: [UInt8], in folder: Int32, path: String) throws -> Bool {
        let answer = SystemCall.repeated { Name.withCString(name) { unlinkat(folder, $0, AT_REMOVEDIR) } }
        if answer == 0 || errno == ENOENT { return true }
        if errno == ENOTEMPTY || errno == EEXIST { return false }
        throw FileError(action: "remove", path: path, code: errno)
    }
}
