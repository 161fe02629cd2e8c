import BackgroundWorkFiles

/// How an outcome that has arrived is to be treated.
package enum TransferStanding: Sendable, Hashable {
    /// The item waits for it.
    case awaited
    /// Its file is to be moved by this process: the move is on record, now or since an earlier one was interrupted.
    case moving(FileMove)
    /// Another process that lives is moving the file.
    case inOtherHands
    /// The item has finished, or has gone on to another generation.
    case settled
}
