#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a script asks for is not possible, or the script makes the daemon unreachable.
public enum ScriptedTransferError: Error, Hashable, CustomStringConvertible {
    /// The work has no transfer with the daemon: it has not been handed off, or its transfer is forgotten.
    case noTransfer(workID: String)
    /// The transfer has been reserved only, has ended before, or is paused, so it cannot end or move now.
    case notRunning(workID: String)
    /// A download cannot end as an upload, nor an upload as a download.
    case wrongDirection(workID: String)
    /// The script has taken the connection away.
    case unreachable

    /// What is wrong.
    public var description: String {
        switch self {
        case .noTransfer(let id): "The work \"\(id)\" has no transfer; wait for it with untilStarted(workID:)."
        case .notRunning(let id): "The transfer of \"\(id)\" does not run: not started, paused, or ended before."
        case .wrongDirection(let id): "The outcome for \"\(id)\" is that of a transfer in the other direction."
        case .unreachable: "The scripted daemon cannot be reached."
        }
    }
}

extension ScriptedTransferError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}
