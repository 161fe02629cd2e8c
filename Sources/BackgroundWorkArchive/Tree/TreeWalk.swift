import BackgroundWorkFiles
import BackgroundWorkSystem

/// Visits all that is below a folder: first what is in it, then each of its folders. Links are not followed.
///
/// Its memory is that for the names of the folders that are still to be visited.
package struct TreeWalk {
    /// What to do with a name.
    package enum Answer { case goOn, leaveOut }

    private let cursor: FolderCursor

    /// - Parameter cursor: at the folder to begin with.
    package init(_ cursor: FolderCursor) { self.cursor = cursor }

    /// - Parameters:
    ///   - visit: called for each name, with the cursor at the folder that has it, and its type, one of `S_IFMT`. A folder
    ///     that it leaves out is not entered.
    ///   - entered: called in each folder below the first, before what is in it.
    ///   - left: called when a folder below the first is done, with the cursor at the one above.
    ///   - vanished: called for a folder that could not be entered because it no longer is one.
    package func run(
        visit: ([UInt8], mode_t) throws -> Answer, entered: () throws -> Void = {},
        left: ([UInt8]) throws -> Void = { _ in }, vanished: () -> Void = {}
    ) throws {
        var waiting = [try folders(visit)]
        var names: [[UInt8]] = []
        while var last = waiting.popLast() {
            guard let name = last.popLast() else {
                if let done = names.popLast() {
                    try cursor.leave()
                    try left(done)
                }
                continue
            }
            waiting.append(last)
            do {
                try cursor.enter(name)
            } catch let error as FileError where [ENOENT, ENOTDIR, ELOOP].contains(error.code) {
                vanished()
                continue
            }
            names.append(name)
            try entered()
            waiting.append(try folders(visit))
        }
    }

    /// Visits what is in the folder. Returns the folders to enter, the first one last.
    private func folders(_ visit: ([UInt8], mode_t) throws -> Answer) throws -> [[UInt8]] {
        var folders: [[UInt8]] = []
        try FolderListing.forEach(in: cursor.descriptor, path: cursor.path(of: [])) { name, type in
            if try visit(name, type) == .goOn, type == S_IFDIR { folders.append(name) }
        }
        return folders.sorted { $1.lexicographicallyPrecedes($0) }
    }
}

/// Reads the names of an open folder, one by one.
package enum FolderListing {
    /// Calls `body` with each name but "." and "..", and with its status if the system does not say the type right away.
    ///
    /// - Parameters:
    ///   - folder: stays the caller's, and its position as well.
    ///   - body: gets a name and its type, one of `S_IFMT`; 0 for one that has vanished meanwhile.
    package static func forEach(in folder: Int32, path: String, _ body: ([UInt8], mode_t) throws -> Void) throws {
        let own = SystemCall.repeated { openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard own >= 0 else { throw FileError(action: "read the folder", path: path, code: errno) }
        guard let stream = fdopendir(own) else {
            let code = errno
            close(own)
            throw FileError(action: "read the folder", path: path, code: code)
        }
        defer { closedir(stream) }
        while true {
            errno = 0
            guard let found = readdir(stream) else {
                if errno == 0 { return }
                throw FileError(action: "read the folder", path: path, code: errno)
            }
            let name = withUnsafeBytes(of: &found.pointee.d_name) { [UInt8]($0.prefix { $0 != 0 }) }
            if name == [0x2e] || name == [0x2e, 0x2e] { continue }
            try body(name, type(found.pointee.d_type, of: name, in: folder))
        }
    }

    private static func type(_ code: UInt8, of name: [UInt8], in folder: Int32) -> mode_t {
        switch Int32(code) {
        case Int32(DT_REG): return S_IFREG
        case Int32(DT_DIR): return S_IFDIR
        case Int32(DT_LNK): return S_IFLNK
        default:
            var status = stat()
            let answer = Name.withCString(name) { fstatat(folder, $0, &status, AT_SYMLINK_NOFOLLOW) }
            return answer == 0 ? status.st_mode & S_IFMT : 0
        }
    }
}
