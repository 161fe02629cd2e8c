import BackgroundWorkTransfers

/// What is known of the files that hosts wait for.
struct FileSight: Sendable, Hashable {
    /// Those that are not what they were.
    var changed: Set<FileWakeRequest> = []
    /// Whether each has been looked at.
    var isComplete = true
}
