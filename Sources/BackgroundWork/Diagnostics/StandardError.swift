#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// For what nobody may miss, whatever the host does with notices.
enum StandardError {
    static func say(_ line: String) {
        var text = "BackgroundWork: \(line)\n"
        text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
