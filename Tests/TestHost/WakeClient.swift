import BackgroundWork
import BackgroundWorkAgentClient
import BackgroundWorkModel
import BackgroundWorkTransfers
import Foundation

/// A host reduced to what concerns waking: `wake-client DIRECTORY AGENT EARLIEST_MS` asks to be launched and stays;
/// launched with `wake-client DIRECTORY AGENT served` it takes its wakes back and ends.
enum WakeClient {
    static func run(_ arguments: [String]) async throws -> Never {
        guard arguments.count == 3 else { exit(64) }
        let (directory, agent) = (arguments[0], arguments[1])
        let service = AgentTransferService(
            directory: directory, store: "wake-client", agentExecutable: agent,
            launchCommand: .thisProgram(arguments: ["wake-client", directory, agent, "served"]),
            clock: SystemWorkClock(), highestTaskIdentifier: { 0 })
        if let earliest = Int64(arguments[2]) {
            try await service.setWakes([WakeRequest(earliest: WallTime(milliseconds: earliest))])
            say("asked")
            try await Task.sleep(for: .seconds(86_400))
        } else {
            try await service.setWakes([])
            say("served")
        }
        exit(0)
    }
}
