#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Whether the system can read a file.
package enum FileReadability {
    /// Reads all of it, and throws ``FileError`` for what the system refuses. A file that is not there is none of that.
    package static func check(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return }
            throw FileError(action: "open", path: path, code: errno)
        }
        defer { close(descriptor) }
        try withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { buffer in
            var offset: off_t = 0
            while true {
                let count = pread(descriptor, buffer.baseAddress, buffer.count, offset)
                if count == 0 { return }
                if count > 0 {
                    offset += off_t(count)
                } else if errno != EINTR {
                    throw FileError(action: "read", path: path, code: errno)
                }
            }
        }
    }
}
