import BackgroundWorkFiles
import BackgroundWorkModel

/// The durable side of a transfer's completion: the work item, its event and the items that wait for it.
///
/// Each method is one transaction and a compare-and-set on the generation, so that repeating it changes nothing.
package protocol TransferLedger: Sendable {
    /// The state of the item of an outcome. An item that is missing because its store was recreated, or because the
    /// ancestor started the transfer, is created again.
    ///
    /// - Parameter move: called within the transaction when the item waits for the outcome: a move that it returns is
    ///   recorded at once, as ``fileArrived(_:move:)`` does, and the item is ``TransferStanding/moving(_:_:)``.
    func standing(
        for outcome: TransferOutcome, move: @escaping @Sendable () -> FileMove?
    ) async throws -> TransferStanding
    /// Records that the file is beside its target; `false` when the generation is no longer the current one.
    func fileArrived(_ key: TransferKey, move: FileMove) async throws -> Bool
    /// Records that the file gets another name, because its own was taken; `false` when the item is no longer
    /// `finishing` in this generation.
    func fileRedirected(_ key: TransferKey, move: FileMove) async throws -> Bool
    /// Finishes an item whose file has arrived, with its event, and releases what waits for it.
    func fileMoved(_ key: TransferKey, message: String, outputJSON: String) async throws
    /// Finishes an item without a file to move, in the same way.
    func transferSucceeded(_ key: TransferKey, message: String, outputJSON: String) async throws
    /// Fails the item, or schedules another attempt if the failure and the item's policy allow it.
    func transferFailed(_ key: TransferKey, failure: TransferFailure) async throws
}

/// How a received outcome is to be processed.
package enum TransferStanding: Sendable, Hashable {
    /// The item waits for it.
    case awaited
    /// This process must move its file: the move is recorded, now or by an earlier interrupted attempt.
    case moving(FileMove)
    /// Another running process is moving the file.
    case ownedElsewhere
    /// The item has finished, or has another generation now.
    case settled
}
