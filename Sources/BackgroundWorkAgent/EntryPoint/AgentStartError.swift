#if os(Linux)
/// Why the agent did not start, or had to leave, beyond a system call's own error.
enum AgentStartError: Error, CustomStringConvertible {
    case alreadyServed(directory: String)
    case journalDamaged(String)

    var description: String {
        switch self {
        case .alreadyServed(let directory):
            "another agent serves \(directory). Connect to that one."
        case .journalDamaged(let reason):
            "the journal was found damaged while in use: \(reason). It is set aside, and a new one begun, when the agent "
                + "starts again."
        }
    }
}
#endif
