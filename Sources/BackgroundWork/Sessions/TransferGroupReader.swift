import BackgroundWorkModel
import BackgroundWorkStorage
import BackgroundWorkTransfers

/// Adds a group's members up, and caches for each what no longer changes.
actor TransferGroupReader {
    private struct Size: Sendable {
        var bytes: Int64
        var totalBytes: Int64?
    }

    private let group: String
    private let store: WorkStore
    private let board: TransferProgressPublisher?
    /// Sizes of members that have succeeded.
    private var final: [TransferKey: Size] = [:]
    /// The last reported sizes of the others: between the last byte and the end there are no more reports.
    private var latest: [TransferKey: Size] = [:]

    init(group: String, store: WorkStore, board: TransferProgressPublisher?) {
        self.group = group
        self.store = store
        self.board = board
    }

    func read() async throws -> TransferGroupProgress {
        let (tag, known) = (TransferGroup.tag(for: group), Set(final.keys))
        let (members, sizes) = try await store.read { transaction in
            let members = try transaction.tagged(tag)
            var sizes: [TransferKey: Size] = [:]
            for member in members where member.state == .succeeded && !known.contains(member.key) {
                sizes[member.key] = try transaction.output(of: member).flatMap(Self.size) ?? Size(bytes: 0)
            }
            return (members, sizes)
        }
        final.merge(sizes) { $1 }
        return add(members, board?.reports(of: members.lazy.map(\.key.workID)) ?? [:])
    }

    private func add(_ members: [WorkSnapshot.Tagged], _ reports: [String: TransferProgress])
        -> TransferGroupProgress
    {
        var progress = TransferGroupProgress(group: group)
        progress.files = members.count
        var latest: [TransferKey: Size] = [:]
        for member in members {
            switch member.state {
            case .succeeded:
                progress.succeeded += 1
                let size = final[member.key]
                progress.totals.add(bytes: size?.bytes ?? 0, of: size?.totalBytes, bytesPerSecond: nil)
            case .failed: progress.failed += 1
            case .cancelled, .skipped: progress.cancelled += 1
            case .blocked, .pending, .running, .handedOff, .finishing:
                let report = reports[member.key.workID]
                let size = report.map { Size(bytes: $0.bytes, totalBytes: $0.totalBytes) } ?? self.latest[member.key]
                latest[member.key] = size
                progress.totals.add(
                    bytes: size?.bytes ?? 0, of: size?.totalBytes, bytesPerSecond: report?.bytesPerSecond)
            }
        }
        self.latest = latest
        return progress
    }

    /// Downloads and uploads state the file's length in their output; another worker's output may not.
    private static func size(of output: String) -> Size? {
        struct Output: Decodable { var bytes: Int64 }
        return (try? JSONCoding.value(Output.self, from: output))
            .map { Size(bytes: $0.bytes, totalBytes: $0.bytes) }
    }
}
