import BackgroundWorkTransfers

/// What the built-in workers need of their scheduler.
struct WorkerServices: Sendable {
    /// The way to hand a transfer off under a policy. Throws where this platform has no daemon for it.
    var handOff: @Sendable (AddressPolicy) throws -> TransferHandOff
    /// That which the request was accepted under.
    var addressPolicy = AddressPolicy.publicInternet

    /// The way to hand the request's transfer off. Throws as `handOff` does.
    func transfers() throws -> TransferHandOff { try handOff(addressPolicy) }
}
