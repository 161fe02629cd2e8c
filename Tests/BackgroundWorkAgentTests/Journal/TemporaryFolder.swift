#if os(Linux)
import Glibc

/// A folder of a test's own, deleted with everything in it when the test lets go.
final class TemporaryFolder: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/bgwork-test-XXXXXX".utf8CString)
        path = mkdtemp(&template).map { String(cString: $0) } ?? "/nonexistent"
    }

    deinit {
        for name in (try? names()) ?? [] { unlink(path + "/" + name) }
        rmdir(path)
    }

    func names() throws -> [String] {
        guard let folder = opendir(path) else { throw SystemFailure(code: errno) }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names.filter { $0 != "." && $0 != ".." }
    }

    struct SystemFailure: Error { var code: Int32 }
}
#endif
