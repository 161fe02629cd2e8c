import BackgroundWorkSystem
import Synchronization

/// The agent's log: one line for each notable thing, on standard error, which the client sends to `agent.log`.
enum AgentLog {
    /// In bytes; at most twice as much is kept, counting the file that was set aside.
    private static let limit = 1 << 20
    private static let file = Mutex<RotatingLog?>(nil)

    static func write(_ message: String) { writePlain(prefix() + message.printable) }

    /// Writes text for a person at a terminal, without a prefix.
    static func writePlain(_ text: String) {
        var text = text + "\n"
        let file = file.withLock { $0 }
        // One write(2) a line, so that lines of two processes do not mix. A failure to write the log is ignored.
        text.withUTF8 { bytes in
            if let file {
                file.write(UnsafeRawBufferPointer(bytes))
            } else {
                _ = BackgroundWorkSystem.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
            }
        }
    }

    /// Limits the size of the file at `path` from now on, if standard error leads to it. Only for the one agent of a
    /// directory.
    static func keepSmall(_ path: String) {
        let log = RotatingLog(path: path, descriptor: STDERR_FILENO, limit: limit)
        file.withLock { $0 = log }
    }

    /// The prefix of a line: the time and the process.
    static func prefix() -> String { "\(timestamp()) [\(getpid())] " }

    /// `2026-01-31T23:59:59.123Z`.
    static func timestamp() -> String {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return UTCTime(seconds: now.tv_sec).extended(milliseconds: now.tv_nsec / 1_000_000)
    }
}
