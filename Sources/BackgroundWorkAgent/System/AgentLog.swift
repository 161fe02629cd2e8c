#if os(Linux)
import Glibc

/// The agent's log: one line for each notable thing, on standard error, which the client sends to `agent.log`.
enum AgentLog {
    static func write(_ message: String) {
        writePlain("\(timestamp()) [\(getpid())] \(message.printable)")
    }

    /// Text for a person at a terminal, as it is.
    static func writePlain(_ text: String) {
        var text = text + "\n"
        // One write(2) a line, so that lines of two processes do not mix. A log that cannot be written stops nothing.
        text.withUTF8 { _ = Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    /// `2026-01-31T23:59:59.123Z`.
    static func timestamp() -> String {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return UTCTime(seconds: now.tv_sec).extended(milliseconds: now.tv_nsec / 1_000_000)
    }
}
#endif
