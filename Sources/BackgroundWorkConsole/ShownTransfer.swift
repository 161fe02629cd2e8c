import BackgroundWorkModel
import BackgroundWorkTransfers

/// A transfer as it is shown.
package struct ShownTransfer: Sendable, Hashable {
    /// The work item's id.
    package var id: String
    /// Its number in the agent, which can be used instead of the id.
    package var number: Int64
    package var session: String
    package var group: String?
    package var priority: WorkPriority
    package var isUpload: Bool
    package var phase: TransferPhase
    package var bytes: Int64
    package var totalBytes: Int64?
    package var bytesPerSecond: Int64?
    /// Without user, password and query.
    package var url: String
    package var path: String

    package init(_ snapshot: TransferSnapshot) {
        id = snapshot.reference.key.workID
        number = snapshot.taskIdentifier
        session = snapshot.sessionIdentifier
        group = snapshot.group
        priority = snapshot.priority
        isUpload = snapshot.isUpload
        phase = snapshot.phase
        bytes = snapshot.receivedBytes
        totalBytes = snapshot.totalBytes
        bytesPerSecond = snapshot.bytesPerSecond
        url = snapshot.url
        path = snapshot.savePath
    }

    /// Applies a report of the agent.
    package mutating func take(_ progress: TransferProgress) {
        phase = progress.phase
        bytes = progress.bytes
        totalBytes = progress.totalBytes
        bytesPerSecond = progress.bytesPerSecond
    }

    /// The file's name, or the URL's last part where the server is to name the file.
    package var name: String {
        let named = path.hasSuffix("/") ? url : path
        if let last = named.split(separator: "/").last { return TerminalText.harmless(last) }
        return TerminalText.harmless(id)
    }

    package var fraction: Double? { TransferPace.fraction(bytes, of: totalBytes) }

    /// At the recent speed; `nil` while that or the length is unknown, and while it is not running.
    package var timeLeft: Duration? {
        guard case .running = phase else { return nil }
        return TransferPace.timeLeft(bytes, of: totalBytes, bytesPerSecond: bytesPerSecond)
    }

    /// Whether it has ended.
    package var hasEnded: Bool {
        switch phase {
        case .succeeded, .failed: true
        default: false
        }
    }
}

/// What a transfer is doing, in words.
package enum PhaseText {
    /// One word, the same in every version, as JSON has it too.
    package static func name(_ phase: TransferPhase) -> String {
        switch phase {
        case .waiting: "waiting"
        case .running: "running"
        case .paused: "paused"
        case .finishing: "finishing"
        case .succeeded: "succeeded"
        case .failed: "failed"
        }
    }

    /// With what it waits for, or why it failed.
    package static func words(_ phase: TransferPhase) -> String {
        switch phase {
        case .waiting(let reason): "waiting for \(words(reason))"
        case .failed(let message): "failed: \(TerminalText.harmless(message))"
        default: name(phase)
        }
    }

    private static func words(_ reason: TransferPhase.Reason) -> String {
        switch reason {
        case .host: "its host"
        case .slot: "a free slot"
        case .earliestBegin: "its start time"
        case .network: "a network"
        case .unmeteredNetwork: "an unmetered network"
        case .power: "external power"
        case .nextTry: "the next attempt"
        }
    }
}
