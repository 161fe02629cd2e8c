import BackgroundWorkModel

/// What every transfer service knows of the scheduler, `Downloader` or `Uploader` that it works for.
package struct TransferServiceContext: Sendable {
    /// Absolute.
    package let directory: String
    /// The identity of its store.
    package let store: String
    package let session: BackgroundSessionOptions
    package let folders: FolderMoves
    package let clock: any WorkClock
    package let stateStore: TransferStateStore
    /// Receives messages about what could not be done and is retried.
    package let report: @Sendable (String) -> Void

    package init(
        directory: String, store: String, session: BackgroundSessionOptions = .init(), folders: FolderMoves = .none,
        clock: any WorkClock, stateStore: TransferStateStore, report: @escaping @Sendable (String) -> Void
    ) {
        self.directory = directory
        self.store = store
        self.session = session
        self.folders = folders
        self.clock = clock
        self.stateStore = stateStore
        self.report = report
    }
}
