import BackgroundWorkFiles
import BackgroundWorkModel

/// The durable side of a transfer's completion: the work item, and what its finish brings with it.
///
/// Each verb is one transaction and a compare-and-set on the generation, so that doing it again changes nothing.
package protocol TransferLedger: Sendable {
    /// Where the item of an outcome stands. An item that is missing because its store was begun anew, or because the
    /// ancestor started the transfer, is built anew.
    func standing(for outcome: TransferOutcome) async throws -> TransferStanding
    /// Notes that the file lies beside its target; `false` when the generation is no longer the current one.
    func fileArrived(_ key: TransferKey, move: FileMove) async throws -> Bool
    /// Finishes the item with its event, and releases what waits for it.
    func fileMoved(_ key: TransferKey, message: String, outputJSON: String) async throws
    /// Fails the item, or sends it back for another attempt if the failure allows it and its policy grants one.
    func transferFailed(_ key: TransferKey, failure: TransferFailure) async throws
}
