#if os(Linux)
import CBackgroundWorkLinux
import Foundation
import Glibc

@testable import BackgroundWorkDevice

/// A network of a test's own, with nothing in it but loopback, in a kernel that takes it apart with the last process in
/// it.
final class NetworkNamespace: @unchecked Sendable {
    // Nothing changes after the initializer; `Process` and `FileHandle` are only not marked.
    private let holder: Process
    private let input: Pipe
    private let descriptor: Int32

    /// Making one needs CAP_SYS_ADMIN, and configuring it `ip`.
    static let isPossible: Bool = {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "unshare", "--net", "sh", "-c", "ip link add name v0 type veth peer name v1 && command -v nsenter",
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    init() throws {
        holder = Process()
        input = Pipe()
        let output = Pipe()
        holder.executableURL = URL(filePath: "/usr/bin/env")
        holder.arguments = ["unshare", "--net", "sh", "-c", "echo ready; exec cat"]
        holder.standardInput = input
        holder.standardOutput = output
        try holder.run()
        _ = output.fileHandleForReading.availableData
        descriptor = Glibc.open("/proc/\(holder.processIdentifier)/ns/net", O_RDONLY | O_CLOEXEC)
    }

    deinit {
        close(descriptor)
        kill(holder.processIdentifier, SIGKILL)
    }

    /// Runs `ip` in it: one command a line.
    func ip(_ commands: String...) async throws {
        let script = commands.map { "ip \($0)" }.joined(separator: " && ")
        try await Command.run("nsenter", "--net=/proc/\(holder.processIdentifier)/ns/net", "sh", "-c", script)
    }

    /// Opens a socket in it. A socket stays where the thread that made it was, so the thread goes there for a moment.
    func open(_ protocol: Int32, _ groups: UInt32) throws(NetlinkError) -> NetlinkSocket {
        let home = Glibc.open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC)
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
#endif
