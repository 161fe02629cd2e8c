import BackgroundWork
import Foundation

/// One download as the list shows it.
public struct Download: Identifiable, Sendable, Hashable {
    /// What it is doing, or how it has ended.
    public enum State: Sendable, Hashable {
        /// For a slot of the scheduler or of the daemon, a network, or the time of its next attempt.
        case waiting
        case running
        case paused
        /// The bytes have arrived, and the file is being moved to its place.
        case finishing
        case finished(URL)
        case failed(message: String)
        case cancelled
    }

    /// The id of its work item.
    public let id: String
    /// Where it comes from.
    public let address: String
    /// What it is doing.
    public internal(set) var state: State
    /// How many have arrived.
    public internal(set) var bytes: Int64 = 0
    /// `nil` while the length is unknown.
    public internal(set) var totalBytes: Int64?

    /// The last part of its address.
    public var name: String { URL(string: address)?.lastPathComponent ?? address }

    /// From 0 to 1; `nil` while the length is unknown.
    public var fraction: Double? {
        if case .finished = state { return 1 }
        guard let totalBytes, totalBytes > 0 else { return nil }
        return min(1, Double(bytes) / Double(totalBytes))
    }

    /// Whether it has ended, in whatever way.
    public var isOver: Bool {
        switch state {
        case .waiting, .running, .paused, .finishing: false
        case .finished, .failed, .cancelled: true
        }
    }

    /// What is stored of it.
    init?(_ info: WorkInfo) {
        guard let address = info.metadata[Self.addressKey] else { return nil }
        id = info.id
        self.address = address
        switch info.state {
        case .blocked, .pending, .running, .handedOff: state = .waiting
        case .finishing: state = .finishing
        case .succeeded:
            let output = try? info.output(as: DownloadOutput.self)
            state = .finished(URL(filePath: output?.savePath ?? ""))
            bytes = output?.bytes ?? 0
            totalBytes = output?.bytes
        case .failed, .skipped: state = .failed(message: info.message ?? "")
        case .cancelled: state = .cancelled
        }
    }

    /// Applies the daemon's report. What has ended stays as it is: a report may be older than the end.
    mutating func apply(_ progress: TransferProgress) {
        if isOver { return }
        bytes = progress.bytes
        totalBytes = progress.totalBytes
        switch progress.phase {
        case .waiting, .failed: state = .waiting  // a failed transfer is tried again, or its event says how it ended
        case .running: state = .running
        case .paused: state = .paused
        case .finishing, .succeeded: state = .finishing
        }
    }

    /// Under this key the request has the address, for the next launch.
    static let addressKey = "address"
}
