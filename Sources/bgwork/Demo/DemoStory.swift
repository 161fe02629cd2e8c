#if os(Linux)
import Glibc

/// What the demo saw happen, for the checks at the end.
struct DemoStory {
    /// The host that was started first, and whether it is known to be dead.
    var firstHost: pid_t = 0
    /// Staged bytes when the host was killed, and when the agent was seen to have gone on without it.
    var stagedAtHostKill: Int64?
    var stagedWithoutHost: Int64?
    /// Staged bytes after the agent was killed.
    var stagedAtAgentKill: Int64?
    /// The host that finished the work, and its parent.
    var lastHost: ProcessTable.Process?
    var agent: pid_t?
}
#endif
