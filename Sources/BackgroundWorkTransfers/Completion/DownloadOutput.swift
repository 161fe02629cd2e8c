import BackgroundWorkFiles
import BackgroundWorkModel

/// The `outputJSON` of a finished download.
package struct DownloadOutput: Codable, Sendable, Hashable {
    /// Where the file stands.
    package var savePath: String
    package var bytes: Int64
    /// What follows is absent when nothing was asked of a server.
    package var statusCode: Int?
    /// The URL that it came from in the end, without its query.
    package var url: String?
    package var headers: [String: String]?
    package var durationMs: Int64?
    package var attempts: Int?
    /// Whether the file that stands there was there before, and none was saved; absent otherwise.
    package var skipped: Bool?

    package init(savePath: String, bytes: Int64) {
        self.savePath = savePath
        self.bytes = bytes
    }

    init(savePath: String, bytes: Int64, statusCode: Int, finalURL: String, details: TransferDetails?) {
        self.init(savePath: savePath, bytes: bytes)
        self.statusCode = statusCode
        url = RedactedURL.text(finalURL)
        headers = details?.headers
        durationMs = details?.durationMs
        attempts = details?.attempts
    }

    /// Of the file that a move has brought to its place.
    init(_ move: FileMove) {
        // Moves that an earlier version has begun have none.
        let particulars = move.particulars.flatMap {
            try? JSONCoding.value(DownloadOutput.self, from: $0)
        }
        self = particulars ?? DownloadOutput(savePath: move.targetPath, bytes: move.identity.bytes)
        savePath = move.targetPath
    }

    /// Members in order and paths as they are, so that the same output is the same text.
    package func encoded() throws -> String { try JSONCoding.text(of: self) }
}
