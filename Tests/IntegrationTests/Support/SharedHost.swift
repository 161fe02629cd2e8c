import BackgroundWorkSystem
import Foundation
import TestSupport

/// Another process on a directory, and what it says, line by line as it says it.
final class SharedHost: Sendable {
    /// Ends when the process does.
    let lines: AsyncStream<String>
    let process: ChildProcess

    /// Starts it; its output comes through a named pipe in `folder`.
    ///
    /// - Parameter withoutInotify: whether the system denies it every inotify instance, as it does when others of the
    ///   user have used up the number that there is (namespaces(7), user.max_inotify_instances).
    init(directory: String, slots: Int, log: String, folder: String, withoutInotify: Bool) throws {
        let pipe = folder + "/\(UUID().uuidString).pipe"
        guard mkfifo(pipe, 0o600) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        // Without waiting for the one who writes, who is started next.
        let descriptor = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        let command = [Programs.host, "shared", directory, "\(slots)", log]
        let wrapper = [
            "/usr/bin/unshare", "--user", "--map-root-user", "/bin/sh", "-c",
            "echo 0 > /proc/sys/user/max_inotify_instances && exec \"$@\"", "sh",
        ]
        let words = withoutInotify ? wrapper + command : command
        process = try ChildProcess(
            words[0], Array(words.dropFirst()),
            environment: ProcessInfo.processInfo.environment, log: pipe)
        _ = fcntl(descriptor, F_SETFL, 0)
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        lines = stream
        Thread.detachNewThread {
            var line: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = read(descriptor, &buffer, buffer.count)
                if count <= 0 { break }
                for byte in buffer[..<count] {
                    if byte == UInt8(ascii: "\n") {
                        continuation.yield(String(decoding: line, as: UTF8.self))
                        line = []
                    } else {
                        line.append(byte)
                    }
                }
            }
            close(descriptor)
            continuation.finish()
        }
    }

    deinit { process.send(SIGKILL) }
}

extension AsyncStream<String>.Iterator {
    /// Waits for a line; `false` if the process has ended without it.
    mutating func reach(_ line: String) async -> Bool { await next(where: { $0 == line }) != nil }

    /// Waits for a line that begins with a word, and returns it; `nil` if the process has ended without one.
    mutating func next(_ word: String) async -> String? { await next(where: { $0.hasPrefix(word + " ") }) }

    private mutating func next(where matches: (String) -> Bool) async -> String? {
        while let line = await next() {
            if matches(line) { return line }
        }
        return nil
    }
}
