import BackgroundWorkFiles
import BackgroundWorkSystem
import Synchronization

/// A log file that is set aside when it has grown to its limit: it becomes `<path>.1`, in place of the one before, and
/// its descriptor continues in a new file.
final class RotatingLog: Sendable {
    private let path: String
    private let descriptor: Int32
    private let limit: Int
    /// The number of bytes in the file: its size at the beginning plus the bytes written since.
    private let count: Mutex<Int>

    var olderPath: String { Self.olderPath(path) }

    private static func olderPath(_ path: String) -> String { path + ".1" }

    /// `nil` when `descriptor` leads elsewhere, to a terminal or the system's journal, say: such a target is not
    /// limited here.
    ///
    /// A descriptor of the file that was set aside, because another process did that after it was opened, is redirected
    /// to the current file.
    /// - Parameters:
    ///   - descriptor: Open for appending. It keeps its number, whatever file it leads to.
    ///   - limit: In bytes. A single line that is longer gets a file of its own.
    init?(path: String, descriptor: Int32, limit: Int) {
        self.path = path
        self.descriptor = descriptor
        self.limit = limit
        guard Self.isRegular(descriptor), let own = FileIdentity(descriptor: descriptor) else { return nil }
        // The target of a symbolic link at the end of the path is not renamed.
        let isAt = { (path: String) in FileIdentity(path: path)?.isSameFile(as: own) ?? false }
        let isInUse = isAt(path)
        guard isInUse || isAt(Self.olderPath(path)) else { return nil }
        count = Mutex(0)
        if !isInUse, (try? reopen()) == nil { return nil }
        count.withLock { $0 = Self.size(of: descriptor) }
    }

    /// Writes the bytes in one call. Failures to write or to set aside are ignored.
    func write(_ bytes: UnsafeRawBufferPointer) {
        count.withLock { count in
            if count > 0, count + bytes.count > limit {
                // If it cannot be set aside, the file grows, and that is tried again after `limit` more bytes.
                let problem = setAside()
                count = problem == nil ? Self.size(of: descriptor) : 0
                if let problem {
                    let line = "this log exceeds its limit: \(problem)"
                    append("\(AgentLog.prefix())\(line.printable)\n", &count)
                }
            }
            append(bytes, &count)
        }
    }

    private func append(_ text: String, _ count: inout Int) {
        var text = text
        text.withUTF8 { append(UnsafeRawBufferPointer($0), &count) }
    }

    private func append(_ bytes: UnsafeRawBufferPointer, _ count: inout Int) {
        count += max(0, BackgroundWorkSystem.write(descriptor, bytes.baseAddress, bytes.count))
    }

    /// Returns the error, or `nil`.
    private func setAside() -> SystemCallError? {
        do throws(SystemCallError) {
            // A removed file is created again.
            guard rename(path, olderPath) == 0 || errno == ENOENT else { throw SystemCallError("rename", path) }
            try reopen()
            return nil
        } catch {
            return error
        }
    }

    private func reopen() throws(SystemCallError) {
        let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw SystemCallError("open", path) }
        defer { close(file) }
        guard dup2(file, descriptor) >= 0 else { throw SystemCallError("dup2", path) }
    }

    private static func size(of descriptor: Int32) -> Int { Int(FileIdentity(descriptor: descriptor)?.bytes ?? 0) }

    private static func isRegular(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}
