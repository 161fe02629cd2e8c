import BackgroundWorkModel
import BackgroundWorkSystem
import BackgroundWorkTransfers
import Foundation
import TestSupport
import Testing

/// An agent on a device whose conditions the test sets.
final class DeviceAgentProcess {
    private let place: Workplace
    private let process: ChildProcess
    private let device: FileHandle
    /// How many watches were waited for, or have passed.
    private var seen = 0

    /// Starts it; clients of the place find it there. At first nothing is known of the device.
    init(_ place: Workplace) async throws {
        self.place = place
        let pipe = place.folder.path + "/device"
        if !FileManager.default.fileExists(atPath: pipe) { #expect(mkfifo(pipe, 0o600) == 0) }
        try? FileManager.default.removeItem(atPath: AgentPaths(schedulerDirectory: place.directory).socket)
        process = try ChildProcess(
            Programs.host, ["device-agent", pipe, "agent", place.directory],
            environment: ProcessInfo.processInfo.environment, log: place.hostLog)
        try await place.wait(for: "the agent") {
            FileManager.default.fileExists(atPath: AgentPaths(schedulerDirectory: place.directory).socket)
        }
        // Open both ways, so that no byte is lost for want of a reader.
        device = try FileHandle(forUpdating: URL(filePath: pipe))
    }

    deinit { process.send(SIGKILL) }

    /// From here on these conditions hold, and no others. Returns when the agent knows.
    func set(_ conditions: Constraints) async throws {
        let before = lines("told ").count
        try device.write(contentsOf: [UInt8(conditions.rawValue)])
        try await place.wait(for: "the agent to be told") { self.lines("told ").count > before }
    }

    /// Waits until the agent begins to watch these conditions, after the watch that was waited for before.
    func watches(_ conditions: Constraints) async throws {
        var index: Int?
        try await place.wait(for: "a watch of \(conditions.rawValue)") {
            index = self.lines("watches ").indices.dropFirst(self.seen).first {
                self.lines("watches ")[$0] == "watches \(conditions.rawValue)"
            }
            return index != nil
        }
        seen = (index ?? 0) + 1
    }

    private func lines(_ beginning: String) -> [String] {
        place.lines(of: place.hostLog).filter { $0.hasPrefix(beginning) }
    }

    func kill() async { await process.killAndWait() }
}
