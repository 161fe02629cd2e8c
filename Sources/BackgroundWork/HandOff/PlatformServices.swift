import BackgroundWorkModel
import BackgroundWorkTransfers

/// What the platform's daemon does for one directory; `nil` where this version of the package has no such service.
///
/// The folders `Linux` and `Apple` say which ones there are.
struct PlatformServices {
    let transfers: (any TransferService)?
    let wakes: (any WakeService)?

    /// The scheduler, `Downloader` or `Uploader` that uses them.
    struct Client {
        var context: TransferServiceContext
        var agentExecutable: String?
        var launchCommand: LaunchCommand?
        /// `nil`: the daemon keeps its current ones.
        var limits: TransferLimits?
        var notices: NoticeLog
    }
}
