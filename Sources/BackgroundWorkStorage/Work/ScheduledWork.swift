import BackgroundWorkModel

/// An item that a commit has enqueued.
package struct ScheduledWork: Sendable, Hashable {
    package var id: String
    package var workerName: String
    package var chainID: String?
    package var queue: String
}
