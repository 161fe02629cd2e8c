import BackgroundWork

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
