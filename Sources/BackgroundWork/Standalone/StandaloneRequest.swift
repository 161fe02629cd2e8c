import BackgroundWorkModel
import BackgroundWorkTransfers

/// What makes two requests the same: what is moved from where to where. How it travels (headers, credentials, limits,
/// times) may differ from launch to launch, as tokens do.
struct StandaloneRequest: Sendable, Hashable, Codable {
    var url: String
    var path: String
    /// Of an upload.
    var method: String?
    var form: UploadForm?
    /// Of a download.
    var checksum: FileChecksum?
    var onDuplicate: DuplicatePolicy?

    init(_ download: DownloadConfiguration) {
        url = download.url
        path = download.savePath
        checksum = download.checksum
        onDuplicate = download.onDuplicate
    }

    init(_ upload: UploadConfiguration) {
        url = upload.url
        path = upload.filePath
        method = upload.method
        form = upload.form
    }

    init(_ text: String) throws { self = try JSONCoding.value(StandaloneRequest.self, from: text) }

    func moved(by moves: FolderMoves) -> StandaloneRequest {
        var request = self
        request.path = moves.current(path)
        return request
    }

    /// Equal texts are equal requests.
    func text() throws -> String { try JSONCoding.text(of: self) }
}
