import BackgroundWorkFoundation
import BackgroundWorkTransfers

/// A file that an ``Uploader`` has sent, and what the server said.
public struct UploadedFile: Sendable, Hashable {
    /// The file.
    public var file: URL
    /// How many of its bytes were sent: all.
    public var bytes: Int64
    /// Of the server's answer.
    public var statusCode: Int
    /// Headers of that answer, by their names in lower case.
    public var headers: [String: String]
    /// The start of that answer's body, as text.
    public var responseBody: String?
    /// What has taken the file in the end, without the query.
    public var target: String

    init(_ output: UploadOutput) {
        file = URL(filePath: output.filePath)
        bytes = output.bytes
        statusCode = output.statusCode
        headers = output.headers ?? [:]
        responseBody = output.responseBody
        target = output.url
    }
}
