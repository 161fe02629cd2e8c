#if os(Linux)
import Glibc

/// What the demo has read at the turns of its story, for the checks at the end.
struct DemoStory {
    /// The host that was started first.
    var firstHost: pid_t = 0
    /// Staged bytes when the host had ended.
    var stagedAtHostKill: Int64?
    /// The agent that was there then.
    var agent: pid_t?
    /// What was staged, and which hosts there were or had been, after the agent had gone on alone.
    private(set) var lifeWithoutHost: (staged: Int64, hosts: Int)?
    /// Staged bytes when the agent had ended.
    var stagedAtAgentKill: Int64?
    /// The hosts that lived when the work was done, and all that agents had launched by then.
    var lastHosts: [ProcessTable.Process] = []
    var launches: [DemoFolder.Launch] = []
    /// How many processes did not leave when they were asked to.
    var leftBehind = 0

    /// A host of the demo never leaves by itself, so one that was launched would live, and the agent's log have it.
    mutating func noteLifeWithoutHost(staged: Int64?, hosts: [ProcessTable.Process], launches: [DemoFolder.Launch]) {
        lifeWithoutHost = (staged ?? 0, max(hosts.count, launches.count))
    }
}
#endif
