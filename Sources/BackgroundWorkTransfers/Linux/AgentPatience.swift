#if os(Linux)
/// How long an agent may keep its client waiting.
///
/// Looks are counted, and not time, so that a client that was stopped itself does not take that for the agent's fault. An
/// agent that is stopped will not answer; one that waits for a busy disk will, and a commit has been seen to take more
/// than ten seconds.
package struct AgentPatience: Sendable {
    /// Between two looks at what waits for an answer.
    package var look: Duration
    /// What so many looks have found waiting is given up if the agent's process is stopped…
    package var looksWhenStopped: Int
    /// …and after so many in any case.
    package var looks: Int

    package init(look: Duration = .seconds(5), looksWhenStopped: Int = 2, looks: Int = 24) {
        self.look = look
        self.looksWhenStopped = looksWhenStopped
        self.looks = looks
    }

    /// Why a call is given up that so many looks have found waiting; `nil` as long as it is not.
    func hang(of process: Int32, after looks: Int, log: String) -> AgentUnavailableError? {
        guard looks >= min(looksWhenStopped, self.looks) else { return nil }
        let seconds = look / .seconds(1) * Double(looks)
        if ProcessState(of: process) == .stopped { return .stopped(process: process, seconds: seconds, log: log) }
        return looks >= self.looks ? .hangs(process: process, seconds: seconds, log: log) : nil
    }

    var longestSeconds: Double { look / .seconds(1) * Double(looks) }
}
#endif
