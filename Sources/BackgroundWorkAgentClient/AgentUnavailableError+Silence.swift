import BackgroundWorkFoundation
import BackgroundWorkTransfers

extension AgentUnavailableError {
    static func stopped(process: Int32, seconds: Double, log: String) -> AgentUnavailableError {
        silent(
            process, seconds, "It is stopped (by SIGSTOP, or a debugger): continue it (SIGCONT), or end it.", log: log)
    }

    static func hangs(process: Int32, seconds: Double, log: String) -> AgentUnavailableError {
        silent(
            process, seconds, "It hangs, or waits for a disk that does not respond: end it, and try again.", log: log)
    }

    private static func silent(
        _ process: Int32, _ seconds: Double, _ advice: String, log: String
    ) -> AgentUnavailableError {
        AgentUnavailableError(
            description: "The agent (process \(process)) has not answered for \(Int(seconds.rounded(.up))) seconds. "
                + advice + " Nothing is lost. Its log is \(log).")
    }
}
