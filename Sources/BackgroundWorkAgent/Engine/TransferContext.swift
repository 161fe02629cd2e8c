#if os(Linux)
import BackgroundWorkTransfers

/// What every transfer needs of the agent around it.
struct TransferContext {
    let desk: StagingClient
    let exchanges: ExchangePool
    let timers: LoopTimers
    let paths: AgentPaths
    /// This run of the machine.
    let boot: String
}
#endif
