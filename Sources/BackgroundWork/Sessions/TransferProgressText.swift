import BackgroundWorkModel
import BackgroundWorkTransfers

/// How far a transfer is, for people: `12.3 of 50.0 MB, 3.1 MB/s, 12 s left`. Pure.
enum TransferProgressText {
    static func message(_ progress: TransferProgress) -> String {
        let amount = amount(progress.bytes, of: progress.totalBytes)
        switch progress.phase {
        case .running:
            var parts = [amount]
            if let rate = progress.bytesPerSecond { parts.append("\(quantity(rate))/s") }
            if let left = progress.timeLeft { parts.append("\(time(left)) left") }
            return parts.joined(separator: ", ")
        case .paused: return "paused at \(amount)"
        case .waiting(let reason):
            let words = "waiting for \(words(reason))"
            return progress.bytes > 0 ? "\(words), at \(amount)" : words
        case .finishing: return "finishing, \(amount)"
        case .succeeded: return "done, \(quantity(progress.bytes))"
        case .failed(let message): return message
        }
    }

    private static func words(_ reason: TransferPhase.Reason) -> String {
        switch reason {
        case .host: "its start"
        case .place: "a place"
        case .earliestBegin: "its earliest begin"
        case .network: "a network"
        case .unmeteredNetwork: "an unmetered network"
        case .power: "external power"
        case .nextAttempt: "the next attempt"
        }
    }

    private static func amount(_ bytes: Int64, of total: Int64?) -> String {
        guard let total else { return quantity(bytes) }
        let unit = unit(for: total)
        return "\(number(bytes, unit)) of \(number(total, unit)) \(unit.name)"
    }

    private static func quantity(_ bytes: Int64) -> String {
        let unit = unit(for: bytes)
        return "\(number(bytes, unit)) \(unit.name)"
    }

    private static func unit(for bytes: Int64) -> (size: Int64, name: String) {
        switch bytes {
        case ..<1000: (1, "B")
        case ..<1_000_000: (1000, "kB")
        case ..<1_000_000_000: (1_000_000, "MB")
        case ..<1_000_000_000_000: (1_000_000_000, "GB")
        default: (1_000_000_000_000, "TB")
        }
    }

    /// With one digit behind the point, cut: what is not there yet is not promised.
    private static func number(_ bytes: Int64, _ unit: (size: Int64, name: String)) -> String {
        let bytes = max(0, bytes)
        if unit.size == 1 { return "\(bytes)" }
        let tenths = bytes / (unit.size / 10)
        return "\(tenths / 10).\(tenths % 10)"
    }

    private static func time(_ left: Duration) -> String {
        // Up, so that nothing is left "in 0 s".
        let seconds = (left.milliseconds + 999) / 1000
        return switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7200: "\((seconds + 59) / 60) min"
        case ..<172_800: "\((seconds + 3599) / 3600) h"
        default: "\((seconds + 86_399) / 86_400) days"
        }
    }
}
