import BackgroundWorkFiles
import BackgroundWorkModel

/// How an outcome that has arrived is to be treated.
package enum TransferStanding: Sendable, Hashable {
    /// The item waits for it.
    case awaited(TransferKey)
    /// The file had arrived before; its move was interrupted.
    case interrupted(TransferKey, FileMove)
    /// Another process that lives is moving the file.
    case inOtherHands
    /// The item has finished, or has gone on to another generation.
    case settled
}
