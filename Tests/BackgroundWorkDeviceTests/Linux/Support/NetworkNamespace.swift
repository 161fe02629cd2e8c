import BackgroundWorkSystem
import CBackgroundWorkLinux
import Foundation
import TestSupport

@testable import BackgroundWorkDevice

/// A network of a test's own, with nothing in it but loopback, in a kernel that takes it apart with the last process in
/// it.
final class NetworkNamespace: Sendable {
    private let holder: ChildProcess
    /// The end of what the holder reads, so that it does not outlive this process.
    private let lifeline: Int32
    private let descriptor: Int32

    /// Making one needs CAP_SYS_ADMIN, and configuring it `ip`.
    static var isPossible: Bool { get async { await possibility.value } }

    private static let possibility = Task {
        let script = "ip link add name v0 type veth peer name v1 && command -v nsenter"
        return (try? await ChildProcess.run(["unshare", "--net", "sh", "-c", script]))?.end == .exited(0)
    }

    init() async throws {
        var ends: [Int32] = [-1, -1]
        guard bgw_pipe(&ends) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        defer { close(ends[0]) }
        lifeline = ends[1]
        holder = try await ChildProcess.untilItSpeaks(
            ["unshare", "--net", "sh", "-c", "echo ready; exec cat <&3"], inherited: ends[0])
        descriptor = BackgroundWorkSystem.open("/proc/\(holder.id)/ns/net", O_RDONLY | O_CLOEXEC)
    }

    deinit {
        close(descriptor)
        close(lifeline)
        holder.send(SIGKILL)
    }

    /// Runs `ip` in it: one command a line.
    func ip(_ commands: String...) async throws {
        let script = commands.map { "ip \($0)" }.joined(separator: " && ")
        try await Command.run("nsenter", "--net=/proc/\(holder.id)/ns/net", "sh", "-c", script)
    }

    /// Opens a socket in it. A socket stays where the thread that made it was, so the thread goes there for a moment.
    func open(_ protocol: Int32, _ groups: UInt32) throws(NetlinkError) -> NetlinkSocket {
        let home = BackgroundWorkSystem.open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC)
        Self.enter(descriptor)
        defer {
            Self.enter(home)
            close(home)
        }
        return try NetlinkSocket(`protocol`, groups)
    }

    private static func enter(_ namespace: Int32) {
        typealias SetNamespace = @convention(c) (Int32, Int32) -> Int32
        let networkNamespace: Int32 = 0x4000_0000
        let setNamespace = unsafeBitCast(dlsym(nil, "setns"), to: SetNamespace.self)
        precondition(setNamespace(namespace, networkNamespace) == 0, "setns: \(String(cString: strerror(errno)))")
    }
}
