/// What else is known of a transfer that has ended.
package struct TransferDetails: Sendable, Hashable, Codable {
    /// From the first byte of the first request to the end, in milliseconds; waits between tries included.
    package var durationMs: Int64 = 0
    /// How many requests for the file were made, ranges of one try counted as one.
    package var requests = 1
    /// Headers of the last response, by their names in lower case: `ResponseHeaders.kept`.
    package var headers: [String: String] = [:]
    /// The start of the answer to an upload, as text.
    package var responseBody: String?
    /// A name for the file that is safe to use, when `savePath` is a folder.
    package var suggestedName: String?
    package var onDuplicate = DuplicatePolicy.overwrite
    /// Of a download: `DownloadJob.mountPoint`.
    package var mountPoint: String?

    package init() {}

    private enum CodingKeys: String, CodingKey {
        case durationMs, headers, responseBody, suggestedName, onDuplicate, mountPoint
        // What journals and other versions call it.
        case requests = "attempts"
    }
}
