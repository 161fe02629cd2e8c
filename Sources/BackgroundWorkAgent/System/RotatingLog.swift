#if os(Linux)
import BackgroundWorkFiles
import BackgroundWorkSystem
import Synchronization

/// A log file that is set aside when it has grown to its limit: it becomes `<path>.1`, in place of the one before, and
/// its descriptor goes on in a new file.
final class RotatingLog: Sendable {
    private let path: String
    private let descriptor: Int32
    private let limit: Int
    /// How many bytes the file has, by its size at the beginning and what was written since.
    private let count: Mutex<Int>

    var olderPath: String { Self.olderPath(path) }

    private static func olderPath(_ path: String) -> String { path + ".1" }

    /// `nil` when `descriptor` leads elsewhere, to a terminal or the system's journal, say: that is not ours to limit.
    ///
    /// One that leads to the file set aside, because another process did that after the descriptor was opened, is led
    /// to the file in use.
    /// - Parameters:
    ///   - descriptor: Open for appending. It keeps its number, whatever file it leads to.
    ///   - limit: In bytes. A single line that is longer gets a file of its own.
    init?(path: String, descriptor: Int32, limit: Int) {
        self.path = path
        self.descriptor = descriptor
        self.limit = limit
        guard Self.isRegular(descriptor), let own = FileIdentity(descriptor: descriptor) else { return nil }
        // What a link at the end of the path leads to is not ours to rename.
        let isAt = { (path: String) in FileIdentity(path: path)?.isSameFile(as: own) ?? false }
        let isInUse = isAt(path)
        guard isInUse || isAt(Self.olderPath(path)) else { return nil }
        count = Mutex(0)
        if !isInUse, (try? reopen()) == nil { return nil }
        count.withLock { $0 = Self.size(of: descriptor) }
    }

    /// Writes what belongs together in one piece. A log that cannot be written or set aside stops nothing.
    func write(_ bytes: UnsafeRawBufferPointer) {
        count.withLock { count in
            if count > 0, count + bytes.count > limit {
                // Where it cannot be set aside it goes on, and that is tried again after as many bytes more.
                let problem = setAside()
                count = problem == nil ? Self.size(of: descriptor) : 0
                if let problem {
                    let line = "this log goes on beyond its limit: \(problem)"
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

    /// What went wrong, or `nil`.
    private func setAside() -> SystemCallError? {
        do throws(SystemCallError) {
            // A file that somebody has removed is simply begun anew.
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
#endif
