import BackgroundWorkFoundation
import BackgroundWorkModel
import Synchronization

/// An event of the scheduler itself rather than of one request: a damaged file that was set aside, a full disk that
/// prevents results from being stored, a daemon that cannot be reached.
public struct SchedulerNotice: Sendable, Hashable, CustomStringConvertible {
    /// The kind of event.
    public enum Kind: String, Sendable, Hashable {
        /// A file could not be read; it was kept under another name and a new one created.
        case fileSetAside
        /// The work database could not be written; the write is retried.
        case storageFailure
        /// The daemon cannot be reached; the connection is retried.
        case daemonUnreachable
        /// An outcome could not be processed; the daemon delivers it again.
        case deliveryFailure
        /// The wall clock was set back; due times were adjusted.
        case clockSetBack
        /// Files or the device cannot be watched.
        case watchFailure
        /// A condition of the device that work needs cannot be read, and counts as met; the message says why. One notice
        /// for each condition and reason.
        case conditionUnreadable
        /// Work, state file and daemon did not agree on the transfers; the message says what was done.
        case transfersReconciled
        /// A program that was named for the daemon cannot be used; the message says which one is.
        case otherAgentProgram
        /// The system has handed over a background session, and nobody took its events; the message names it.
        case unclaimedSession
        /// The system does not launch the app for due work, or does not let work go on in the background; the message
        /// says why, and what to do.
        case launchNotRequested
        /// The data protection of the directory, or whether backups contain it, could not be set; the message says what
        /// follows.
        case attributesNotSet
        /// Work of a process that had ended without a shutdown was taken back.
        case workReclaimed
    }

    /// The kind of event.
    public let kind: Kind
    /// What happened, to what, and what to do.
    public let message: String
    /// When, on the wall clock.
    public let date: Date

    /// The kind and the message.
    public var description: String { "\(kind.rawValue): \(message)" }
}

/// Keeps the newest notices and passes each one to the handler.
final class NoticeLog: Sendable {
    private static let kept = 100
    private let notices = Mutex<[SchedulerNotice]>([])
    private let clock: any WorkClock
    private let handler: (@Sendable (SchedulerNotice) -> Void)?

    init(clock: any WorkClock, handler: (@Sendable (SchedulerNotice) -> Void)?) {
        self.clock = clock
        self.handler = handler
    }

    var newest: [SchedulerNotice] { notices.withLock { $0 } }

    func add(_ kind: SchedulerNotice.Kind, _ message: String) {
        let notice = SchedulerNotice(kind: kind, message: message, date: clock.now)
        notices.withLock { notices in
            notices.append(notice)
            if notices.count > Self.kept { notices.removeFirst() }
        }
        handler?(notice)
    }

    func reportSetAside(_ message: String) { add(.fileSetAside, message) }

    /// The same, unless it is what the newest notice says.
    func addIfNew(_ kind: SchedulerNotice.Kind, _ message: String) {
        if let last = newest.last, last.kind == kind, last.message == message { return }
        add(kind, message)
    }
}
