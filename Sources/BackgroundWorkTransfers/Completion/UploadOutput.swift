#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The `outputJSON` of a finished upload.
package struct UploadOutput: Codable, Sendable, Hashable {
    /// The file that was sent.
    package var filePath: String
    package var bytes: Int64
    package var statusCode: Int
    /// The URL that has taken it in the end, without its query.
    package var url: String
    package var headers: [String: String]?
    package var durationMs: Int64?
    package var attempts: Int?
    /// The start of the server's answer, as text.
    package var responseBody: String?

    init(filePath: String, bytes: Int64, statusCode: Int, finalURL: String, details: TransferDetails?) {
        self.filePath = filePath
        self.bytes = bytes
        self.statusCode = statusCode
        url = RedactedURL.text(finalURL)
        headers = details?.headers
        durationMs = details?.durationMs
        attempts = details?.attempts
        responseBody = details?.responseBody
    }

    /// Members in order and paths as they are, so that the same output is the same text.
    package func encoded() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
