import BackgroundWorkFiles
import BackgroundWorkModel

/// A direct transfer as its directory remembers it, from the first request until somebody has been told the end.
struct StandaloneRecord: Sendable, Hashable {
    enum State: Sendable, Hashable {
        /// With the daemon, or about to be.
        case underWay
        /// The file has arrived, and is on its way to its place.
        case finishing(FileMove)
        /// Nobody has been told yet.
        case ended(StandaloneEnd)
    }

    /// The caller's identifier, and a number that is never given again.
    var key: TransferKey
    /// ``StandaloneRequest/text()``.
    var request: String
    var state: State
}
