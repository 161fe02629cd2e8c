#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Folders: making them, and making what happened in them durable.
package enum Folder {
    /// Makes the folder and those above it. One that stands already is fine.
    package static func create(_ path: String, mode: mode_t = 0o755) throws {
        // Most often it is there.
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return }
        if SystemCall.repeated({ mkdir(path, mode) }) == 0 { return }
        switch errno {
        case EEXIST:
            guard stat(path, &status) == 0 else { throw FileError(action: "look at", path: path, code: errno) }
            guard status.st_mode & S_IFMT == S_IFDIR else {
                throw FileError(action: "create the folder", path: path, code: ENOTDIR)
            }
        case ENOENT:
            guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
                throw FileError(action: "create the folder", path: path, code: ENOENT)
            }
            try create(String(path[..<slash]), mode: mode)
            guard mkdir(path, mode) == 0 || errno == EEXIST else {
                throw FileError(action: "create the folder", path: path, code: errno)
            }
        case let code: throw FileError(action: "create the folder", path: path, code: code)
        }
    }

    /// Makes renames, new names and removals in the folder durable (fsync(2) on the folder).
    package static func synchronize(_ path: String) throws {
        let descriptor = SystemCall.repeated { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw FileError(action: "open the folder", path: path, code: errno) }
        defer { close(descriptor) }
        guard SystemCall.repeated({ fsync(descriptor) }) == 0 else {
            throw FileError(action: "synchronize the folder", path: path, code: errno)
        }
    }
}
