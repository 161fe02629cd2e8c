#if os(Linux)
import Foundation
import Glibc

/// What an agent that has nothing to do holds of memory, and which system calls it makes meanwhile.
struct IdleCost {
    var seconds: Int
    var agent: String
    var folder: String

    func run() async throws {
        let directory = folder + "/idle-work"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let process = Process()
        process.executableURL = URL(filePath: agent)
        process.arguments = ["agent", "--directory", directory, "--stay"]
        process.standardError = FileHandle.nullDevice
        try process.run()
        defer { kill(process.processIdentifier, SIGKILL) }
        try await Task.sleep(for: .seconds(1))
        let memory = AgentProcess(identifier: process.processIdentifier).privateMemory ?? PrivateMemory()
        print("idle agent, never used: \(memory) private")
        let trace = folder + "/idle.trace"
        // 124: `timeout` has ended it.
        _ = try? await MeasuredProgram.run(
            "timeout", ["\(seconds)", "strace", "-f", "-q", "-o", trace, "-p", "\(process.processIdentifier)"])
        let calls = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n")
            .filter { !$0.contains("+++") }
        print("  system calls seen in \(seconds) s, the ones it sleeps in included: \(calls.count)")
        for call in calls { print("    \(call)") }
    }
}
#endif
