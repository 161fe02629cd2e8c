import BackgroundWorkFoundation
import BackgroundWorkTransfers

/// A file that a ``Downloader`` has put in its place.
public struct DownloadedFile: Sendable, Hashable {
    /// Where it stands. Another name than was asked for if that was a folder, or was taken under
    /// ``DuplicatePolicy/rename``.
    public var url: URL
    /// Its length.
    public var bytes: Int64
    /// Whether it stood there before, and was left as it is under ``DuplicatePolicy/skip``.
    public var wasSkipped: Bool
    /// Of the server's last answer; `nil` when no server was asked.
    public var statusCode: Int?
    /// Headers of that answer, by their names in lower case.
    public var headers: [String: String]
    /// Where it came from in the end, without the query; `nil` when no server was asked.
    public var source: String?

    init(_ output: DownloadOutput) {
        url = URL(filePath: output.savePath)
        bytes = output.bytes
        wasSkipped = output.skipped ?? false
        statusCode = output.statusCode
        headers = output.headers ?? [:]
        source = output.url
    }
}
