/// What is particular to an upload.
package struct UploadJob: Sendable, Hashable, Codable {
    package var method: String
    package var form: UploadForm
    /// The file as it was at hand-off.
    package var source: UploadSource

    package init(method: String, form: UploadForm, source: UploadSource) {
        self.method = method
        self.form = form
        self.source = source
    }
}
