import BackgroundWork
import BackgroundWorkAgentClient
import BackgroundWorkModel
import BackgroundWorkTransfers
import Foundation

extension Workplace {
    /// Where launched scripts leave a line each: their process and the time, in milliseconds since 1970.
    var launchLog: String { folder.path + "/launches.log" }
    var agentLog: String { directory + "/agent/agent.log" }

    /// A client of the agent for one work store, whose launch command leaves a line and then does `rest`.
    func wakeService(store: String = "a", launching rest: String = "exit 0") -> AgentTransferService {
        let script = "echo $$ $(date +%s%3N) >> '\(launchLog)'; \(rest)"
        return AgentTransferService(
            directory: directory, store: store, agentExecutable: agentScript,
            launchCommand: LaunchCommand(
                arguments: ["/bin/sh", "-c", script], environment: ["PATH": "/usr/bin:/bin"]),
            clock: SystemWorkClock(), highestTaskIdentifier: { 0 })
    }

    var launches: [(process: pid_t, time: WallTime)] {
        lines(of: launchLog).compactMap { line in
            let words = line.split(separator: " ")
            guard words.count == 2, let process = pid_t(words[0]), let time = Int64(words[1]) else { return nil }
            return (process, WallTime(milliseconds: time))
        }
    }

    struct Wake: Hashable {
        var store: String
        var needs: Constraints
        var earliest: WallTime
    }

    /// The wakes in the agent's journal.
    var wakes: [Wake] {
        query("agent/agent.sqlite", "SELECT store, needs, earliest FROM wakes ORDER BY store, needs") {
            Wake(
                store: $0.text(0), needs: Constraints(rawValue: Int($0.int(1))),
                earliest: WallTime(milliseconds: $0.int(2)))
        } ?? []
    }

    /// The stamps of the files that the agent's journal has.
    var watchedStamps: [String] {
        query("agent/agent.sqlite", "SELECT stamp FROM watched_files ORDER BY store, path, stamp") { $0.text(0) } ?? []
    }
}

extension WallTime {
    static func inMilliseconds(_ delta: Int64) -> WallTime { WallTime(Date()).advanced(byMs: delta) }
}
