import BackgroundWorkAgentClient
import BackgroundWorkSystem
import CBackgroundWorkLinux
import Foundation
import Synchronization

/// A child of the test: started in a session of its own, waited for, stopped and killed by real signals.
///
/// It is reaped in any case, if necessary without a caller that waits: the thread of Swift Testing that waits for exit
/// tests looks at one ended child at a time, and at no other as long as nobody takes that one. Foundation's `Process`
/// never hears of an end in a process that has descriptors above 1,024, since it waits with select(2).
package final class ChildProcess: Sendable {
    package enum Change: Equatable, Sendable { case exited(Int32), signalled(Int32), stopped }

    package let id: pid_t
    private let hasEnded = Atomic(false)

    /// Starts a program whose output is appended to `log`.
    package convenience init(
        _ program: String, _ arguments: [String], environment: [String: String], log: String
    ) throws {
        let output = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard output >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        defer { close(output) }
        try self.init(program, arguments, environment: environment, output: output)
    }

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - output: where its output and its errors go.
    ///   - inherited: what it gets as descriptor 3; -1 for nothing.
    package init(
        _ program: String, _ arguments: [String], environment: [String: String], output: Int32, inherited: Int32 = -1
    ) throws {
        var pid: pid_t = 0
        let code = CStrings.with([program] + arguments) { argv in
            CStrings.with(environment.map { "\($0.key)=\($0.value)" }) { envp in
                bgw_spawn_detached(&pid, program, argv, envp, "/", output, inherited)
            }
        }
        guard code == 0 else { throw POSIXError(.init(rawValue: code) ?? .EIO) }
        id = pid
    }

    /// Waits until the process exits, or stops, on a thread that may block.
    package func nextChange() async -> Change {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: self.waitForChange()) }
        }
    }

    /// The same, blocking the calling thread: for programs that end quickly.
    @discardableResult
    package func waitForChange() -> Change {
        var status: Int32 = 0
        while waitpid(id, &status, WUNTRACED) < 0, errno == EINTR {}
        if status & 0xff == 0x7f { return .stopped }
        hasEnded.store(true, ordering: .releasing)
        return status & 0x7f == 0 ? .exited((status >> 8) & 0xff) : .signalled(status & 0x7f)
    }

    deinit {
        if hasEnded.load(ordering: .acquiring) { return }
        let id = id
        Thread.detachNewThread { while waitpid(id, nil, 0) < 0, errno == EINTR {} }
    }

    /// SIGKILL, and waits for the end of it.
    package func killAndWait() async {
        BackgroundWorkSystem.kill(id, SIGKILL)
        _ = await nextChange()
    }

    package func send(_ signal: Int32) { BackgroundWorkSystem.kill(id, signal) }

    /// Whether a signal has a handler, by the mask in /proc (proc(5)).
    package func handles(_ signal: Int32) -> Bool {
        let status = (try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }
        let mask = line?.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) } ?? 0
        return mask & 1 << UInt64(signal - 1) != 0
    }
}
