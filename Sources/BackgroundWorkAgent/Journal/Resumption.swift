/// What came of a wish to start a transfer.
enum Resumption: Sendable, Hashable {
    /// It was reserved, and is active now.
    case started(TransferRecord)
    /// It was active or finished before.
    case already
    case unknown
}
