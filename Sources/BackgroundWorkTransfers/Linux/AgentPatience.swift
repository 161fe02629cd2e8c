#if os(Linux)
/// How long an agent may keep its client waiting. One that takes longer is stopped, or hangs: even on a machine that is
/// busy with something else a commit takes less.
package struct AgentPatience: Sendable {
    /// For the answer to hello, in seconds.
    package var helloSeconds: Int
    /// Between two looks at what waits for an answer.
    package var look: Duration
    /// A request that so many looks have found waiting is given up. Looks are counted, and not time, so that a client
    /// that was stopped itself does not take that for the agent's fault.
    package var looks: Int

    package init(helloSeconds: Int = 10, look: Duration = .seconds(5), looks: Int = 6) {
        self.helloSeconds = helloSeconds
        self.look = look
        self.looks = looks
    }

    /// For a request, in seconds.
    var requestSeconds: Double { look / .seconds(1) * Double(looks) }
}
#endif
