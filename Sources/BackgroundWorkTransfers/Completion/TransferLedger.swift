import BackgroundWorkFiles
import BackgroundWorkModel

/// The durable side of a transfer's completion: the work item, and what its finish brings with it.
///
/// Each verb is one transaction and a compare-and-set on the generation, so that doing it again changes nothing.
package protocol TransferLedger: Sendable {
    /// Where the item of an outcome stands. An item that is missing because its store was begun anew, or because the
    /// ancestor started the transfer, is built anew.
    ///
    /// - Parameter move: asked, within the transaction, when the item waits for the outcome: a move that it returns is
    ///   noted at once, as ``fileArrived(_:move:)`` does, and the item is ``TransferStanding/moving(_:_:)``.
    func standing(
        for outcome: TransferOutcome, move: @escaping @Sendable () -> FileMove?
    ) async throws -> TransferStanding
    /// Notes that the file lies beside its target; `false` when the generation is no longer the current one.
    func fileArrived(_ key: TransferKey, move: FileMove) async throws -> Bool
    /// Notes that the file goes to another name, because its own was taken; `false` when the item is not `finishing`
    /// in this generation any more.
    func fileRedirected(_ key: TransferKey, move: FileMove) async throws -> Bool
    /// Finishes an item whose file has arrived, with its event, and releases what waits for it.
    func fileMoved(_ key: TransferKey, message: String, outputJSON: String) async throws
    /// Finishes an item of which there is nothing to move, in the same way.
    func transferSucceeded(_ key: TransferKey, message: String, outputJSON: String) async throws
    /// Fails the item, or sends it back for another attempt if the failure allows it and its policy grants one.
    func transferFailed(_ key: TransferKey, failure: TransferFailure) async throws
}

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
