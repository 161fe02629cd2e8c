/// What the built-in workers need of their scheduler.
struct WorkerServices: Sendable {
    /// The way to hand a transfer off. Throws where this platform has no daemon for it.
    var transfers: @Sendable () throws -> TransferHandOff
}
