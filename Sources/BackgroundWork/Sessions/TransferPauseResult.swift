/// What a pause of a transfer did.
public enum TransferPauseResult: Sendable, Hashable {
    /// The daemon holds it, also over restarts of the host and of the machine, until it is resumed.
    case paused
    /// It has not been handed off yet. Its worker will run and hand it off, and the daemon will hold it then.
    case beforeHandOff
    /// It is noted, but the daemon could not be asked just now, for the reason given; the transfer may go on until the
    /// next connection, at which it is paused.
    case whenReachable(reason: String)
    /// The file has arrived and is being moved into place.
    case tooLate
    /// The work had finished before.
    case alreadyFinished
    /// The work's worker does not hand transfers off. To keep work from running, pause its queue.
    case notATransfer
    /// There is no such work.
    case unknown
}
