import BackgroundWorkTransfers

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The `detailJSON` of a transfer's progress event.
struct TransferProgressDetail: Encodable {
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
    var json: String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) }
    }
}
