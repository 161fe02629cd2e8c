import BackgroundWorkDevice
import BackgroundWorkFoundation
import BackgroundWorkModel
import BackgroundWorkTransfers

/// Where a ``Downloader`` or an ``Uploader`` keeps its files, and how it behaves.
public struct StandaloneTransferConfiguration: Sendable {
    /// The folder for its record, the state file and the agent; created if missing, for this user only. It belongs to
    /// one `Downloader` or `Uploader` at a time, of all processes, and never to a ``WorkScheduler``.
    public var directory: URL
    /// Whether backups leave the folder out, on Apple's platforms: backups of the device, and Time Machine. `nil`: as
    /// it is, which is not unless somebody has set it.
    ///
    /// A device that is restored from a backup continues the transfers that the backup contains, from their
    /// beginning, also those that the other device has completed since. `true` where that must not be. What URL sessions have received
    /// is never in a backup.
    public var isExcludedFromBackup: Bool?
    /// Folders that may have another path at the next launch, with all that is in them, by names that stay. A path
    /// below one of them that was stored at an earlier launch is used below its current path: the target of a
    /// download, the source of an upload, the files of TLS. On Apple's platforms the container of the app, by the
    /// bundle's identifier; add those of app groups that transfers use. None on Linux.
    public var baseFolders = PlatformServices.baseFolders
    /// The session that transfers belong to when their configuration names none.
    public var sessionIdentifier = PlatformServices.standaloneSessionIdentifier
    /// How its sessions behave.
    public var sessionOptions = BackgroundSessionOptions()
    /// Where the transfers may lead that are begun with this configuration, and which files they may use. Those that
    /// another one has begun continue under its policy: a narrower one here does not change them. Cancel them.
    public var securityPolicy = SecurityPolicy.publicInternet
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
    /// Whether it holds no lock while the process is suspended; `nil`: where the system ends processes for them, which is
    /// in the containers of app groups on iOS, tvOS and visionOS. What it would write then waits until the process may run
    /// again. Elsewhere it has no effect.
    public var releasesLocksWhenSuspended: Bool?
    /// Replaces the system's word about suspensions.
    var expiringActivities = PlatformServices.expiringActivities
    /// In place of the platform's daemon.
    package var transferService: (any TransferService)?
    /// The same, for one that is made for the object.
    package var makeTransferService: (@Sendable (TransferServiceContext) -> any TransferService)?

    /// Creates a configuration with the defaults.
    public init(directory: URL) { self.directory = directory }
}
