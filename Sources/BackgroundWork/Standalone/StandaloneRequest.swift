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
    /// In place of its secrets, a digest of them: requests that differ in nothing else are different requests.
    var secrets: String?

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

    /// As it is stored: ``stored()``.
    init(_ text: String) throws { self = try JSONCoding.value(StandaloneRequest.self, from: text).stored() }

    /// Without the query of its URL and other secrets, which the record need not have to tell requests apart.
    ///
    /// Throws ``DigestError`` where the system's libcrypto is missing.
    func stored() throws -> StandaloneRequest {
        var stored = self
        stored.url = ShownURL.text(url)
        stored.form = form?.withoutSecrets
        guard secrets == nil, stored != self else { return self }
        stored.secrets = try FileDigest.sha256(of: Array(text().utf8))
        return stored
    }

    func moved(by moves: FolderMoves) -> StandaloneRequest {
        var request = self
        request.path = moves.current(path)
        return request
    }

    /// Equal texts are equal requests.
    func text() throws -> String { try JSONCoding.text(of: self) }
}
