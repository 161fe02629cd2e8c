#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What stands at a path and is neither file, folder nor link: nothing that a file may take the place of.
package enum SpecialFile {
    /// In words, for an error; `nil` if nothing of the sort stands there. Links are not followed.
    package static func kind(at path: String) -> String? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        return switch status.st_mode & S_IFMT {
        case S_IFCHR, S_IFBLK: "a device"
        case S_IFIFO: "a named pipe"
        case S_IFSOCK: "a socket"
        default: nil
        }
    }

    /// Throws ``FileError`` when something of the sort stands there.
    package static func refuse(at path: String) throws {
        if let kind = kind(at: path) { throw FileError(action: "replace \(kind) by a file:", path: path, code: EEXIST) }
    }
}
