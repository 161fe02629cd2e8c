#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Appends whole lines to a log file.
enum RequestLogFile {
    /// Makes the file if there is none.
    static func create(at path: String) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
        if descriptor >= 0 { close(descriptor) }
    }

    /// A file that is gone by now stays gone: an answer may end after its server's folder was removed.
    static func append(_ line: [UInt8], to path: String) {
        let descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        _ = write(descriptor, line, line.count)
    }
}
