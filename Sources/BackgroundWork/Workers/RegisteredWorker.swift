import BackgroundWorkModel

/// A worker behind its name, whatever its input's type.
struct RegisteredWorker: Sendable {
    var name: String
    /// Whether a run may leave a transfer with the daemon, which a cancelled run must take back.
    var handsOffTransfers = false
    var run: @Sendable (String?, WorkerContext, WorkerServices) async throws -> WorkerResult
}
