import BackgroundWork
import BackgroundWorkFoundation

/// A transfer of a scripted daemon.
public struct ScriptedTransfer: Sendable, Hashable {
    /// The work item that waits for it.
    public let workID: String
    /// The session that it belongs to.
    public let sessionIdentifier: String
    /// Its number.
    public let taskIdentifier: Int64
    /// The URL as in the request.
    public let url: String
    /// Where the file will be, or the file that is sent.
    public let path: String
    /// The requested options.
    public let options: TransferOptions
    /// Whether bytes go to the server.
    public let isUpload: Bool
    /// Whether its work has been handed off; if not, it is only reserved.
    public let isStarted: Bool
    /// Whether the host has paused it.
    public let isPaused: Bool
    /// Whether it has ended, and its outcome has not been processed yet.
    public let hasEnded: Bool
}

/// How a scripted transfer ends.
public enum ScriptedOutcome: Sendable, Hashable {
    /// The server has sent a file with these bytes. Of downloads.
    case downloaded([UInt8], statusCode: Int = 200, headers: [String: String] = [:], suggestedName: String? = nil)
    /// The server has accepted the file. Of uploads.
    case uploaded(statusCode: Int = 200, headers: [String: String] = [:], responseBody: String? = nil)
    /// It failed; `isRetryable` says whether its work may be retried under its policy.
    case failed(message: String, isRetryable: Bool = false, statusCode: Int? = nil)
}

/// The scripted action is not possible, or the script makes the daemon unreachable.
public enum ScriptedTransferError: Error, Hashable, CustomStringConvertible {
    /// The work has no transfer with the daemon: it has not been handed off, or its transfer was removed.
    case noTransfer(workID: String)
    /// The transfer is only reserved, has ended before, or is paused, so it cannot end or report progress now.
    case notRunning(workID: String)
    /// A download cannot end as an upload, nor an upload as a download.
    case wrongDirection(workID: String)
    /// The script has disconnected the daemon.
    case unreachable

    /// What is wrong.
    public var description: String {
        switch self {
        case .noTransfer(let id): "The work \"\(id)\" has no transfer; wait for it with untilStarted(workID:)."
        case .notRunning(let id): "The transfer of \"\(id)\" does not run: not started, paused, or ended before."
        case .wrongDirection(let id): "The outcome for \"\(id)\" belongs to a transfer in the other direction."
        case .unreachable: "The scripted daemon cannot be reached."
        }
    }
}

extension ScriptedTransferError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}
