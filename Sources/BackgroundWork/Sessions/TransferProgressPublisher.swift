import BackgroundWorkModel
import BackgroundWorkStorage
import BackgroundWorkTransfers
import Synchronization

/// The newest progress of each transfer, as the daemon reports it. Passed on, and never stored: the daemon reports it
/// again at each connection.
final class TransferProgressPublisher: Sendable {
    private struct ID: Hashable, Sendable {
        var session: String
        var task: Int64
    }

    private struct Name: Sendable {
        var worker: String
        var chain: String?
    }

    private struct State: Sendable {
        private(set) var newest: [ID: TransferProgress] = [:]
        /// The transfer of each work item; the later one if there are two.
        private var ofWork: [String: ID] = [:]
        /// Progress that has not been sent to the bus.
        var changed: [ID: TransferProgress] = [:]
        /// By work id; of transfers that are active, or whose end has not been published yet.
        var names: [String: Name] = [:]
        var isFlushing = false
        var nextStream = 0
        var streams: [Int: AsyncStream<TransferProgress>.Continuation] = [:]
        var isFinished = false

        func newest(of workID: String) -> TransferProgress? { ofWork[workID].flatMap { newest[$0] } }

        mutating func note(_ progress: TransferProgress, _ id: ID) {
            newest[id] = progress
            if let known = ofWork[progress.workID], newest[known] != nil, known.task > id.task { return }
            ofWork[progress.workID] = id
        }

        mutating func forget(_ id: ID, keepingName: Bool = false) {
            guard let progress = newest.removeValue(forKey: id) else { return }
            if ofWork[progress.workID] == id { ofWork[progress.workID] = nil }
            if !keepingName { forgetName(of: progress.workID) }
        }

        /// Unless the work has an active transfer.
        mutating func forgetName(of workID: String) {
            if ofWork[workID] == nil { names[workID] = nil }
        }
    }

    /// How many values a stream buffers for a slow reader.
    static let streamBufferSize = 1024
    private static let pause = Duration.milliseconds(250)

    private let state = Mutex(State())
    private let store: WorkStore
    private let clock: any WorkClock
    private let publish: @Sendable ([TaskProgressEvent]) -> Void

    init(store: WorkStore, clock: any WorkClock, publish: @escaping @Sendable ([TaskProgressEvent]) -> Void) {
        self.store = store
        self.clock = clock
        self.publish = publish
    }

    /// The newest progress of all active transfers, for new subscribers to the events.
    var newest: [TaskProgressEvent] {
        state.withLock { state in state.newest.values.compactMap { Self.event($0, state.names) } }
    }

    /// The newest report of each transfer that has not ended.
    var active: [TransferProgress] { state.withLock { Array($0.newest.values) } }

    /// How many items' names are kept.
    var knownNames: Int { state.withLock { $0.names.count } }

    /// The newest report of each item's transfer that has not ended.
    func reports(of workIDs: some Sequence<String>) -> [String: TransferProgress] {
        state.withLock { state in
            var reports: [String: TransferProgress] = [:]
            for id in workIDs { reports[id] = state.newest(of: id) }
            return reports
        }
    }

    /// Called on the connection's thread.
    func receive(_ list: [TransferProgress]) {
        let mustFlush = state.withLock { state -> Bool in
            if state.isFinished { return false }
            for progress in list {
                let id = ID(session: progress.sessionIdentifier, task: progress.taskIdentifier)
                if progress.phase.isEnd { state.forget(id, keepingName: true) } else { state.note(progress, id) }
                state.changed[id] = progress
                for continuation in state.streams.values { continuation.yield(progress) }
            }
            if state.isFlushing || state.changed.isEmpty { return false }
            state.isFlushing = true
            return true
        }
        if mustFlush { Task { await flush() } }
    }

    /// Removes what the daemon no longer knows, and takes over what it has.
    func connected(_ transfers: [TransferSnapshot]) {
        let ids = transfers.filter { $0.state == .active }.map {
            ID(session: $0.sessionIdentifier, task: $0.taskIdentifier)
        }
        let known = Set(ids)
        state.withLock { state in
            for id in state.newest.keys where !known.contains(id) { state.forget(id) }
        }
        receive(transfers.filter { $0.state == .active }.map(TransferProgress.init))
    }

    func remove(session: String, task: Int64) {
        state.withLock { $0.forget(ID(session: session, task: task)) }
    }

    var stream: AsyncStream<TransferProgress> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: TransferProgress.self, bufferingPolicy: .bufferingNewest(Self.streamBufferSize))
        let id = state.withLock { state -> Int? in
            if state.isFinished { return nil }
            state.nextStream += 1
            state.streams[state.nextStream] = continuation
            // Under the lock, so that no newer report comes first.
            for progress in state.newest.values { continuation.yield(progress) }
            return state.nextStream
        }
        guard let id else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.streams.removeValue(forKey: id) }
        }
        return stream
    }

    func finish() {
        let streams = state.withLock { state in
            state.isFinished = true
            state.changed = [:]
            defer { state.streams = [:] }
            return Array(state.streams.values)
        }
        for continuation in streams { continuation.finish() }
    }

    private func flush() async {
        while let changed = takeChanged() {
            let names = await names(of: changed)
            publish(changed.compactMap { Self.event($0, names) })
            state.withLock { state in
                for progress in changed { state.forgetName(of: progress.workID) }
            }
            try? await clock.sleep(for: Self.pause)
        }
    }

    private func takeChanged() -> [TransferProgress]? {
        state.withLock { state in
            defer { state.changed = [:] }
            if state.changed.isEmpty { state.isFlushing = false }
            return state.changed.isEmpty ? nil : Array(state.changed.values)
        }
    }

    /// The workers' names do not come from the daemon. They are looked up once for each transfer.
    private func names(of list: [TransferProgress]) async -> [String: Name] {
        var names = state.withLock { $0.names }
        let unknown = Set(list.map(\.workID).filter { names[$0] == nil })
        if unknown.isEmpty { return names }
        // Without a name there is no event; the next report tries again.
        let found = try? await store.read { transaction in
            try unknown.compactMap { id in
                try transaction.record(id: id).map { (id, Name(worker: $0.workerName, chain: $0.chainID)) }
            }
        }
        for (id, name) in found ?? [] { names[id] = name }
        state.withLock { state in
            let wanted = Set(state.newest.values.map(\.workID))
            for (id, name) in found ?? [] where wanted.contains(id) { state.names[id] = name }
        }
        return names
    }

    private static func event(_ progress: TransferProgress, _ names: [String: Name]) -> TaskProgressEvent? {
        names[progress.workID].map { name in
            TaskProgressEvent(
                workID: progress.workID, taskName: name.worker, chainID: name.chain,
                progress: WorkerProgress(progress))
        }
    }
}

extension WorkerProgress {
    /// A transfer's progress as the progress of its work.
    init(_ transfer: TransferProgress) {
        self.init(
            fraction: transfer.fraction, message: TransferProgressText.message(transfer),
            // Numbers, flags and a text can always be encoded.
            detailJSON: try? JSONCoding.text(of: TransferProgressDetail(transfer)))
    }
}

extension TransferPhase {
    fileprivate var isEnd: Bool {
        switch self {
        case .succeeded, .failed: true
        case .waiting, .running, .paused, .finishing: false
        }
    }
}
