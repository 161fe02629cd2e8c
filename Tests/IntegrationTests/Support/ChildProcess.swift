import BackgroundWorkTransfers
import CBackgroundWorkLinux
import Foundation
import Glibc
import Synchronization

/// A child of the test: started in a session of its own, waited for, stopped and killed by real signals.
///
/// It is waited for in any case, if need be when nobody asks any more: the thread of Swift Testing that waits for exit
/// tests looks at one ended child at a time, and at no other as long as nobody takes that one.
final class ChildProcess: Sendable {
    enum Change: Equatable { case exited(Int32), signalled(Int32), stopped }

    let id: pid_t
    private let hasEnded = Atomic(false)

    /// Starts a program whose output is appended to `log`.
    init(_ program: String, _ arguments: [String], environment: [String: String], log: String) throws {
        let output = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard output >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        defer { close(output) }
        var pid: pid_t = 0
        let code = CStrings.with([program] + arguments) { argv in
            CStrings.with(environment.map { "\($0.key)=\($0.value)" }) { envp in
                bgw_spawn_detached(&pid, program, argv, envp, "/", output, -1)
            }
        }
        guard code == 0 else { throw POSIXError(.init(rawValue: code) ?? .EIO) }
        id = pid
    }

    /// Waits until the process exits, or stops, on a thread that may block.
    func nextChange() async -> Change {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [self] in
                var status: Int32 = 0
                while waitpid(id, &status, WUNTRACED) < 0, errno == EINTR {}
                let change: Change =
                    if status & 0xff == 0x7f {
                        .stopped
                    } else if status & 0x7f == 0 {
                        .exited((status >> 8) & 0xff)
                    } else {
                        .signalled(status & 0x7f)
                    }
                if change != .stopped { hasEnded.store(true, ordering: .releasing) }
                continuation.resume(returning: change)
            }
        }
    }

    deinit {
        if hasEnded.load(ordering: .acquiring) { return }
        let id = id
        Thread.detachNewThread { while waitpid(id, nil, 0) < 0, errno == EINTR {} }
    }

    /// SIGKILL, and waits for the end of it.
    func killAndWait() async {
        Glibc.kill(id, SIGKILL)
        _ = await nextChange()
    }

    func send(_ signal: Int32) { Glibc.kill(id, signal) }
}
