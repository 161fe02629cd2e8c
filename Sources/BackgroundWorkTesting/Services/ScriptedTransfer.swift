import BackgroundWork
import BackgroundWorkFoundation

/// A transfer as a scripted daemon knows it.
public struct ScriptedTransfer: Sendable, Hashable {
    /// The work item that waits for it.
    public let workID: String
    /// The session that it belongs to.
    public let sessionIdentifier: String
    /// Its number.
    public let taskIdentifier: Int64
    /// As the request has it.
    public let url: String
    /// Where the file is to stand, or the file that is sent.
    public let path: String
    /// What was asked for besides.
    public let options: TransferOptions
    /// Whether bytes go to the server.
    public let isUpload: Bool
    /// Whether its work has been handed off, rather than only been reserved.
    public let isStarted: Bool
    /// Whether the host holds it.
    public let isPaused: Bool
    /// Whether it has ended, and nobody has taken its outcome in yet.
    public let hasEnded: Bool
}

/// How a scripted transfer ends.
public enum ScriptedOutcome: Sendable, Hashable {
    /// The server has sent a file with these bytes. Of downloads.
    case downloaded([UInt8], statusCode: Int = 200, headers: [String: String] = [:], suggestedName: String? = nil)
    /// The server has taken the file. Of uploads.
    case uploaded(statusCode: Int = 200, headers: [String: String] = [:], responseBody: String? = nil)
    /// It came to nothing; `isRetryable` tells whether its work may be tried again under its policy.
    case failed(message: String, isRetryable: Bool = false, statusCode: Int? = nil)
}

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
