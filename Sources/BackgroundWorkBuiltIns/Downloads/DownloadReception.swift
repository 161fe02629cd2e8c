import BackgroundWorkModel
import BackgroundWorkTransfers
import Synchronization

/// How far a download is: what its connections report, and what its marks and its progress are made of.
final class DownloadReception: Sendable {
    private struct State: Sendable {
        var entity = RecordedEntity(validator: nil, total: nil)
        /// Of one stream.
        var received: Int64 = 0
        var table: SegmentTable?
        var hasBegun = false
        var reportedAt: SuspendingClock.Instant?
        /// What was marked last, in bytes.
        var marked: Int64 = 0

        var bytes: Int64 { table?.received ?? received }
    }

    /// How often progress is reported.
    private static let reportInterval = Duration.milliseconds(100)

    private let context: WorkerContext
    private let state = Mutex(State())

    init(_ context: WorkerContext) { self.context = context }

    func begin(_ entity: RecordedEntity, received: Int64) {
        state.withLock { $0 = State(entity: entity, received: received, hasBegun: true, marked: received) }
    }

    func begin(_ entity: RecordedEntity, _ table: SegmentTable) {
        state.withLock { $0 = State(entity: entity, table: table, hasBegun: true, marked: table.received) }
    }

    var entity: RecordedEntity { state.withLock { $0.entity } }
    var table: SegmentTable? { state.withLock { $0.table } }

    /// The bytes that were written.
    var bytes: Int64 { state.withLock { $0.bytes } }

    /// All before `position` in the part, or in the only stream, was written.
    func advance(to position: Int64, inPart part: Int? = nil) {
        let progress = state.withLock { state -> WorkerProgress? in
            if let part { state.table?.advance(part, to: position) } else { state.received = position }
            let now = SuspendingClock.now
            guard state.reportedAt.map({ now - $0 >= Self.reportInterval }) ?? true else { return nil }
            state.reportedAt = now
            return Self.progress(state)
        }
        if let progress { context.report(progress) }
    }

    /// Reports where it is now.
    func report() { context.report(state.withLock { Self.progress($0) }) }

    private static func progress(_ state: borrowing State) -> WorkerProgress {
        let (bytes, total) = (state.bytes, state.entity.total)
        return WorkerProgress(
            fraction: total.map { $0 > 0 ? Double(bytes) / Double($0) : 1 },
            message: Quantity.text(bytes, of: total))
    }

    /// Whether the partial file has something from which the next run can go on, or may have it because this one has not
    /// looked.
    var isWorthKeeping: Bool {
        state.withLock { !$0.hasBegun || $0.entity.validator != nil && $0.bytes > 0 }
    }

    /// What is to be marked; `nil` if nothing has come since the last time.
    var nextMark: (received: Int64, table: SegmentTable?)? {
        state.withLock { $0.bytes > $0.marked ? ($0.received, $0.table) : nil }
    }

    /// So much was marked.
    func marked(_ received: Int64, _ table: SegmentTable?) {
        state.withLock { $0.marked = table?.received ?? received }
    }
}
