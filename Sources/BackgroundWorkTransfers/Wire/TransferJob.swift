/// What a transfer moves, and in which direction.
package enum TransferJob: Sendable, Hashable, Codable {
    case download(DownloadJob)
    case upload(UploadJob)

    package var isUpload: Bool { if case .upload = self { true } else { false } }
}
