import BackgroundWork
import BackgroundWorkModel
import BackgroundWorkTransfers

/// The transfers of a scripted daemon, and its receiver.
struct ScriptedState: Sendable {
    struct Record: Sendable {
        var specification: TransferSpecification
        var task: Int64
        var isStarted = false
        var isPaused = false
        var bytes: Int64 = 0
        var totalBytes: Int64?
        var bytesPerSecond: Int64?
        var outcome: TransferOutcome?

        var isRunning: Bool { isStarted && !isPaused && outcome == nil }

        var phase: TransferPhase {
            switch outcome?.result {
            case .failed(let failure): .failed(message: failure.message)
            case .delivered, .uploaded: .succeeded
            case nil: isPaused ? .paused : isStarted ? .running : .waiting(.host)
            }
        }

        var snapshot: TransferSnapshot {
            TransferSnapshot(
                reference: specification.reference, sessionIdentifier: specification.sessionIdentifier,
                taskIdentifier: task, state: outcome != nil ? .finished : isStarted ? .active : .reserved,
                receivedBytes: bytes, totalBytes: totalBytes, url: ShownURL.text(specification.url),
                savePath: specification.savePath, isUpload: specification.job.isUpload,
                priority: specification.options.priority, group: specification.options.group, phase: phase,
                bytesPerSecond: isRunning ? bytesPerSecond : nil)
        }

        var transfer: ScriptedTransfer {
            ScriptedTransfer(
                workID: specification.reference.key.workID, sessionIdentifier: specification.sessionIdentifier,
                taskIdentifier: task, url: specification.url, path: specification.savePath,
                options: specification.options, isUpload: specification.job.isUpload, isStarted: isStarted,
                isPaused: isPaused, hasEnded: outcome != nil)
        }
    }

    struct Waiter: Sendable {
        var isSatisfied: @Sendable ([ScriptedTransfer]) -> Bool
        var continuation: CheckedContinuation<Void, Never>
    }

    enum Standing: Sendable { case away, introducing, told }

    var records: [Record] = []
    var nextTask: Int64 = 1
    var epoch = 1
    var isReachable = true
    var receiver: (any TransferReceiver)?
    /// Whether the receiver has been informed of what existed when it connected.
    var standing = Standing.away
    var waiters: [Waiter] = []

    func index(of reference: TransferReference) -> Int? {
        records.firstIndex { $0.specification.reference == reference }
    }

    /// The newest transfer of a work item.
    func index(of workID: String) -> Int? {
        records.lastIndex { $0.specification.reference.key.workID == workID }
    }

    mutating func takeSatisfied() -> [CheckedContinuation<Void, Never>] {
        let transfers = records.map(\.transfer)
        let satisfied = waiters.filter { $0.isSatisfied(transfers) }
        waiters.removeAll { $0.isSatisfied(transfers) }
        return satisfied.map(\.continuation)
    }
}
