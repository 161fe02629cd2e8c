import BackgroundWorkModel
import BackgroundWorkTransfers

/// The `detailJSON` of a transfer's progress event.
struct TransferProgressDetail {
    var bytes: Int64
    var totalBytes: Int64?
    var bytesPerSecond: Int64?
    var isUpload: Bool
    var isPaused: Bool
    var sessionIdentifier: String
    var taskIdentifier: Int64

    init(_ progress: TransferProgress) {
        bytes = progress.bytes
        totalBytes = progress.totalBytes
        bytesPerSecond = progress.bytesPerSecond
        isUpload = progress.isUpload
        isPaused = progress.phase == .paused
        sessionIdentifier = progress.sessionIdentifier
        taskIdentifier = progress.taskIdentifier
    }

    /// Members in order; absent where unknown.
    var json: String {
        var json = JSONWriter(capacity: 256)
        json.open()
        json.member("bytes", bytes)
        if let bytesPerSecond { json.member("bytesPerSecond", bytesPerSecond) }
        json.member("isPaused", isPaused)
        json.member("isUpload", isUpload)
        json.member("sessionIdentifier", sessionIdentifier)
        json.member("taskIdentifier", taskIdentifier)
        if let totalBytes { json.member("totalBytes", totalBytes) }
        json.close()
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
