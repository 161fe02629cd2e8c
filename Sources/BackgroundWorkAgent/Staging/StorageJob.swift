#if os(Linux)
/// One thing for the storage queue to do.
struct StorageJob: Sendable {
    /// What must be on the disk before the transaction; when that fails, the job fails alone and its `write` does not run.
    var files: FilesToSync
    /// Changes the journal, inside a transaction that it may share. May run twice, if the shared one is rolled back.
    var write: @Sendable (Journal) throws -> Void
    /// Deletes files after the commit.
    var cleanUp: @Sendable () -> Void
    /// Told the end, on the storage queue: `nil` when it is committed.
    var end: @Sendable ((any Error)?) -> Void
}
#endif
