/// How a scripted transfer ends.
public enum ScriptedOutcome: Sendable, Hashable {
    /// The server has sent a file with these bytes. Of downloads.
    case downloaded([UInt8], statusCode: Int = 200, headers: [String: String] = [:], suggestedName: String? = nil)
    /// The server has taken the file. Of uploads.
    case uploaded(statusCode: Int = 200, headers: [String: String] = [:], responseBody: String? = nil)
    /// It came to nothing; `isRetryable` tells whether its work may be tried again under its policy.
    case failed(message: String, isRetryable: Bool = false, statusCode: Int? = nil)
}
