import BackgroundWorkTransfers

/// How one HTTP exchange of a transfer ended.
enum ExchangeEnd {
    /// The staging file holds the whole, not yet synced.
    case delivered(bytes: Int64, status: Int, finalURL: String)
    /// What was got does not fit; the whole is to be asked for.
    case askForWhole
    case failed(TransferFailure)
}
