import BackgroundWorkFiles
import BackgroundWorkStorage
import BackgroundWorkSystem

/// The agent's exit statuses, as in sysexits.h.
enum AgentExitStatus: Int32 {
    case left = 0
    /// The arguments are not valid (EX_USAGE).
    case usage = 64
    /// The disk or the journal failed (EX_IOERR).
    case failed = 74
    /// Another agent serves the directory: connect to it (EX_TEMPFAIL).
    case alreadyServed = 75
    /// Something in the folder, or the folder itself, does not belong to the agent (EX_NOPERM).
    case unsafeFolder = 77
    /// The journal was written by a later version (EX_CONFIG).
    case journalTooNew = 78

    init(_ error: any Error) {
        self =
            switch error {
            case AgentStartError.alreadyServed: .alreadyServed
            case is NotOwnError: .unsafeFolder
            case is SchemaTooNewError: .journalTooNew
            case is AgentArguments.UsageError: .usage
            default: .failed
            }
    }
}

/// Why the agent did not start, or had to leave, beyond a system call's own error.
enum AgentStartError: Error, CustomStringConvertible {
    case alreadyServed(directory: String)
    case journalDamaged(String)

    var description: String {
        switch self {
        case .alreadyServed(let directory):
            "another agent serves \(directory). Connect to that one."
        case .journalDamaged(let reason):
            "the journal was found damaged while in use: \(reason). It is set aside, and a new one is created, when the "
                + "agent starts again."
        }
    }
}
