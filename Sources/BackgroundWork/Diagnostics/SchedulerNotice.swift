#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Something that happened to the scheduler itself rather than to one request: a damaged file that was set aside, a
/// full disk that keeps results from being stored, a daemon that cannot be reached.
public struct SchedulerNotice: Sendable, Hashable, CustomStringConvertible {
    /// What kind of thing happened.
    public enum Kind: String, Sendable, Hashable {
        /// A file could not be read; it was kept under another name and a new one begun.
        case fileSetAside
        /// The work database could not be written; it is tried again.
        case storageFailure
        /// The daemon cannot be reached; it is tried again.
        case daemonUnreachable
        /// An outcome could not be processed; the daemon delivers it again.
        case deliveryFailure
        /// The wall clock was set back; waits and plans were fitted to it.
        case clockSetBack
        /// Files or the device cannot be watched.
        case watchFailure
        /// Work, state file and daemon did not agree on the transfers; the message says what was done.
        case transfersReconciled
        /// Work of a process that died was taken back.
        case workReclaimed
    }

    /// What kind of thing happened.
    public let kind: Kind
    /// What happened, to what, and what to do.
    public let message: String
    /// When, on the wall clock.
    public let date: Date

    /// The kind and the message.
    public var description: String { "\(kind.rawValue): \(message)" }
}
