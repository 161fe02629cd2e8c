import BackgroundWorkFiles
import BackgroundWorkSystem

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
