/// What the resumption of a transfer did.
public enum TransferResumeResult: Sendable, Hashable {
    /// The daemon goes on with it, from the byte that it had if the server allows that.
    case resumed
    /// It has not been handed off yet, and will not be held when it is.
    case beforeHandOff
    /// It is noted, but the daemon could not be asked just now, for the reason given; it goes on with the next
    /// connection.
    case whenReachable(reason: String)
    /// It was not paused.
    case notPaused
    /// The work had finished before, or its file is being moved into place.
    case alreadyFinished
    /// The work's worker does not hand transfers off.
    case notATransfer
    /// There is no such work.
    case unknown
}
