/// One thing for the storage queue to do.
struct StorageJob: Sendable {
    /// Syncs files before the transaction; when it throws, the job fails alone and its `write` does not run.
    var prepare: @Sendable () throws -> Void
    /// Changes the journal, inside a transaction that it may share. May run twice, if the shared one is rolled back.
    var write: @Sendable (Journal) throws -> Void
    /// Deletes files after the commit.
    var cleanUp: @Sendable () -> Void
    /// Told the end, on the storage queue: `nil` when it is committed.
    var end: @Sendable ((any Error)?) -> Void
}
