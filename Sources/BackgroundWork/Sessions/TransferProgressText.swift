import BackgroundWorkModel
import BackgroundWorkTransfers

/// The progress of a transfer as text for people: `12.3 of 50.0 MB, 3.1 MB/s, 12 s left`. Pure.
enum TransferProgressText {
    static func message(_ progress: TransferProgress) -> String {
        let amount = Quantity.text(progress.bytes, of: progress.totalBytes, separator: " of ")
        switch progress.phase {
        case .running:
            var parts = [amount]
            if let rate = progress.bytesPerSecond { parts.append(Quantity.rate(rate)) }
            if let left = progress.timeLeft { parts.append("\(time(left)) left") }
            return parts.joined(separator: ", ")
        case .paused: return "paused at \(amount)"
        case .waiting(let reason):
            let words = "waiting \(words(reason))"
            return progress.bytes > 0 ? "\(words), at \(amount)" : words
        case .finishing: return "finishing, \(amount)"
        case .succeeded: return "done, \(Quantity.text(progress.bytes))"
        case .failed(let message): return message
        }
    }

    private static func words(_ reason: TransferPhase.Reason) -> String {
        switch reason {
        case .host: "to start"
        case .slot: "for a free slot"
        case .earliestBegin: "until its start time"
        case .network: "for a network"
        case .unmeteredNetwork: "for an unmetered network"
        case .power: "for external power"
        case .nextTry: "for the next attempt"
        }
    }

    private static func time(_ left: Duration) -> String {
        // Rounded up, so that the text never says "0 s left".
        let seconds = (left.milliseconds + 999) / 1000
        return switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7200: "\((seconds + 59) / 60) min"
        case ..<172_800: "\((seconds + 3599) / 3600) h"
        default: "\((seconds + 86_399) / 86_400) days"
        }
    }
}

/// The `detailJSON` of a transfer's progress event. Members whose values are not known are absent.
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
}
