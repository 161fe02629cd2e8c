import BackgroundWorkArchive
import BackgroundWorkFiles
import BackgroundWorkSystem

/// Deletes what an archive has been made of. Links on the way are not followed, and what has changed stays.
enum OriginalsDeletion {
    /// Returns how many files and folders stay. What is gone already does not count.
    ///
    /// - Parameter folder: the one that has the input.
    static func run(_ list: inout OriginalsListReader, in folder: TargetFolder) throws -> Int {
        let cursor = try FolderCursor(root: folder.descriptor, path: folder.path)
        var kept = 0
        while let (stamp, name) = try list.next() {
            let components = name.split(separator: UInt8(ascii: "/"))
            guard let last = components.last else { continue }
            do {
                try cursor.move(to: components.dropLast())
                kept += try delete(last, stamp, cursor) ? 0 : 1
            } catch let error as FileError where error.code == ENOENT {
                // Its folder is gone.
                try cursor.returnToRoot()
            } catch let error as FileError where [ENOTDIR, ELOOP, EACCES, EPERM].contains(error.code) {
                kept += 1
                try cursor.returnToRoot()
            }
        }
        return kept
    }

    /// Whether it is gone.
    private static func delete(_ name: ArraySlice<UInt8>, _ stamp: OriginalStamp, _ cursor: FolderCursor) throws -> Bool
    {
        let path = cursor.path(of: Array(name))
        guard let now = try OriginalStamp.found(name, in: cursor.descriptor, path: path) else { return true }
        guard now.isStill(stamp) else { return false }
        let answer = SystemCall.repeated {
            Name.withCString(name) { unlinkat(cursor.descriptor, $0, stamp.isFolder ? AT_REMOVEDIR : 0) }
        }
        if answer == 0 || errno == ENOENT { return true }
        // Something else is in it.
        if errno == ENOTEMPTY || errno == EEXIST { return false }
        throw FileError(action: "delete", path: path, code: errno)
    }
}
