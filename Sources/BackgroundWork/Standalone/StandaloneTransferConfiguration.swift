import BackgroundWorkFoundation
import BackgroundWorkTransfers

/// Where a ``Downloader`` or an ``Uploader`` keeps its files, and how it behaves.
public struct StandaloneTransferConfiguration: Sendable {
    /// The folder for its record, the state file and the agent; created if missing, for this user only. It belongs to
    /// one `Downloader` or `Uploader` at a time, of all processes, and never to a ``WorkScheduler``.
    public var directory: URL
    /// The session that transfers belong to when their configuration names none.
    public var sessionIdentifier = "BackgroundWork.standalone"
    /// Which addresses the transfers may dial that are begun with this configuration. Those that another one has begun
    /// continue under its policy: a narrower one here does not change them. Cancel them.
    public var addressPolicy = AddressPolicy.publicInternet
    /// How many transfers run at the same time, and how fast.
    public var transferLimits = TransferLimits()
    /// The agent's program on Linux, absolute. `nil`: see Docs/linux-agent.md for where it is looked for.
    public var agentExecutable: String?
    /// How the Linux agent starts this program when a transfer has ended and no process is there. `nil`: it does not,
    /// and the end waits for the next launch.
    public var launchCommand: LaunchCommand?
    /// Where the time comes from.
    public var clock: any WorkClock = SystemWorkClock()
    /// Told of what happens to the `Downloader` or `Uploader` itself. Called on any thread; it must not block.
    public var noticeHandler: (@Sendable (SchedulerNotice) -> Void)?
    /// In place of the platform's daemon.
    package var transferService: (any TransferService)?

    /// Creates a configuration with the defaults.
    public init(directory: URL) { self.directory = directory }
}
