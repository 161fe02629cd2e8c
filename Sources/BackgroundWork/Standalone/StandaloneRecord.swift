import BackgroundWorkFiles
import BackgroundWorkModel

/// A standalone transfer as its directory records it, from the first request until its end was delivered to a caller.
struct StandaloneRecord: Sendable, Hashable {
    enum State: Sendable, Hashable {
        /// With the daemon, or about to be.
        case active
        /// The file has arrived, and is on its way to its place.
        case finishing(FileMove)
        /// No caller has received it yet.
        case ended(StandaloneEnd)
    }

    /// The caller's identifier, and a number that is never given again.
    var key: TransferKey
    /// ``StandaloneRequest/text()``.
    var request: String
    var state: State
}
