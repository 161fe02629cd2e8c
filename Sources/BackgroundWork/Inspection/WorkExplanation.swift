import BackgroundWorkModel

/// Why a work item has not begun, or where else it stands.
public struct WorkExplanation: Sendable, Hashable, CustomStringConvertible {
    /// The item's id.
    public let id: String
    /// Where it stands.
    public let state: WorkState
    /// Every reason why it has not begun; empty when nothing is in its way, or when it has begun or finished.
    public let reasons: [WaitReason]
    /// What was last said about it.
    public let message: String?

    /// All of it in one sentence.
    public var description: String {
        let said = message.map { ": \($0)" } ?? ""
        switch state {
        case .blocked, .pending:
            if reasons.isEmpty { return "\"\(id)\" begins as soon as it is claimed" }
            return "\"\(id)\" has not begun: \(reasons.map(\.description).joined(separator: "; "))"
        case .running: return "\"\(id)\" runs"
        case .handedOff: return "\"\(id)\" was handed off, and waits for its outcome\(said)"
        case .finishing: return "the file of \"\(id)\" is being moved into place"
        case .succeeded: return "\"\(id)\" has succeeded\(said)"
        case .failed: return "\"\(id)\" has failed\(said)"
        case .cancelled: return "\"\(id)\" was cancelled\(said)"
        case .skipped: return "\"\(id)\" was skipped\(said)"
        }
    }
}
