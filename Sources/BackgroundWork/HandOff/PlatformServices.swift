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
        /// Absolute.
        var directory: String
        /// The identity of its store.
        var store: String
        var agentExecutable: String?
        var launchCommand: LaunchCommand?
        /// `nil`: the daemon keeps its current ones.
        var limits: TransferLimits?
        var session: BackgroundSessionOptions
        var folders: FolderMoves
        var clock: any WorkClock
        var stateStore: TransferStateStore
        var notices: NoticeLog
    }
}

/// A scheduler, for what replaces its platform's daemon.
package struct TransferServiceSite: Sendable {
    /// Absolute.
    package let directory: String
    /// The identity of the store.
    package let store: String
    package let clock: any WorkClock
    package let stateStore: TransferStateStore
    /// Receives messages about what could not be done and is retried.
    package let report: @Sendable (String) -> Void
}
