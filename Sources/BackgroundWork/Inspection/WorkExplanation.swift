import BackgroundWorkModel

/// Why a work item has not started, or what its state is.
public struct WorkExplanation: Sendable, Hashable, CustomStringConvertible {
    /// The item's id.
    public let id: String
    /// Its state.
    public let state: WorkState
    /// Every reason why it has not started; empty when nothing prevents it, or when it has started or finished.
    public let reasons: [WaitReason]
    /// Conditions that it needs and that cannot be read. They count as met, so they are no reasons to wait. Empty once it
    /// was handed off or has finished.
    public let unreadable: [ConditionFault]
    /// What a transfer's security policy does not cover on this platform; `nil` for other work, for a policy that
    /// allows every address, where every address is checked that is dialed, and once it has finished.
    public let uncheckedAddresses: String?
    /// The last message about it.
    public let message: String?

    /// The explanation as text.
    public var description: String {
        var parts = [standing]
        if !unreadable.isEmpty {
            let faults = unreadable.map(\.description).joined(separator: ", ")
            parts.append("counted as met, because it cannot be read: \(faults)")
        }
        if let uncheckedAddresses { parts.append(uncheckedAddresses) }
        return parts.joined(separator: "; ")
    }

    private var standing: String {
        let said = message.map { ": \($0)" } ?? ""
        switch state {
        case .blocked, .pending:
            if reasons.isEmpty { return "\"\(id)\" starts as soon as it is claimed" }
            return "\"\(id)\" has not started: \(reasons.map(\.description).joined(separator: "; "))"
        case .running: return "\"\(id)\" runs"
        case .handedOff: return "\"\(id)\" was handed off and waits for its outcome\(said)"
        case .finishing: return "the file of \"\(id)\" is being moved into place"
        case .succeeded: return "\"\(id)\" has succeeded\(said)"
        case .failed: return "\"\(id)\" has failed\(said)"
        case .cancelled: return "\"\(id)\" was cancelled\(said)"
        case .skipped: return "\"\(id)\" was skipped\(said)"
        }
    }
}
