import BackgroundWorkTransfers

/// What came of a wish to reserve.
enum Reservation: Sendable, Hashable {
    case reserved(task: Int64)
    /// The reference belongs to a transfer with another specification, in this state.
    case conflict(state: TransferSnapshot.State)
}
