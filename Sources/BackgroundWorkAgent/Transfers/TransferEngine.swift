#if os(Linux)
import BackgroundWorkTransfers
import CBackgroundWorkCurl

/// Runs the active transfers on libcurl's multi interface. Lives on the network loop's thread.
final class TransferEngine {
    /// Large reads pay off for a few fast transfers; for many at once they would only cost memory.
    private static let bufferBytes = 512 << 10
    private static let bufferBytesOfMany = 64 << 10
    private static let few = 4

    private(set) var multi: CurlMulti?
    private let context: TransferContext
    private let timers: LoopTimers
    private let delivered: (TransferOutcome) -> Void
    private var transfers: [Int64: ActiveTransfer] = [:]
    private var slots = TransferSlots()
    private var running: [UnsafeMutableRawPointer: ActiveTransfer] = [:]
    private var brokenOff: [ActiveTransfer] = []

    /// `delivered` is told every outcome after it was recorded.
    init(context: TransferContext, timers: LoopTimers, delivered: @escaping (TransferOutcome) -> Void) {
        self.context = context
        self.timers = timers
        self.delivered = delivered
    }

    /// Whether no transfer is under way or waiting.
    var isIdle: Bool { transfers.isEmpty }

    /// libcurl, while it has something to wait for.
    var pollable: CurlMulti? { running.isEmpty ? nil : multi }

    /// When the next transfer counts as stalled.
    var nextDeadline: SuspendingClock.Instant? { running.values.compactMap(\.stallDeadline).min() }

    func progress(task: Int64) -> (received: Int64, total: Int64?)? {
        transfers[task].map { ($0.receivedBytes, $0.recordedEntity?.total) }
    }

    func start(_ record: TransferRecord) {
        guard transfers[record.task] == nil else { return }
        let transfer = ActiveTransfer(record, context: context)
        transfer.brokenOff = { [weak self, weak transfer] in
            if let transfer { self?.brokenOff.append(transfer) }
        }
        transfers[record.task] = transfer
        slots.add(task: record.task, host: transfer.url.host)
    }

    /// Stops a cancelled transfer and deletes what it may have written since the journal forgot it.
    func abandon(task: Int64) {
        timers.cancel(.recordAgain(task: task))
        guard let transfer = transfers.removeValue(forKey: task) else { return }
        stop(transfer)
        slots.remove(task: task)
        AgentLog.write("\(transfer.name): cancelled")
        let (folder, file) = (StagingFolder(paths: context.paths), transfer.file)
        // The file is kept open until here, so that its blocks are freed on the storage queue.
        context.desk.submit(write: { _ in }, cleanUp: { withExtendedLifetime(file) { folder.delete(task: task) } }) {
            _ in
        }
    }

    /// One turn of the loop: starts what has a slot, lets libcurl work, ends what is over.
    func perform(now: SuspendingClock.Instant) {
        for task in slots.takeStartable() { if let transfer = transfers[task] { begin(transfer) } }
        if let multi, !running.isEmpty {
            multi.perform()
            for transfer in running.values { transfer.storeReceived() }
            while let (handle, code) = multi.nextDone() {
                if let transfer = running[handle] { end(transfer, code: code) }
            }
        }
        for transfer in running.values {
            guard let deadline = transfer.stallDeadline, deadline <= now else { continue }
            let stall = transfer.specification.stallTimeoutMs
            transfer.exchange?.receiver.breakOff(.stalled(milliseconds: stall, transfer.url))
            brokenOff.append(transfer)
        }
        let broken = brokenOff
        brokenOff = []
        for transfer in broken where transfer.exchange != nil { end(transfer, code: CURLE_ABORTED_BY_CALLBACK) }
    }

    /// Stops every transfer and has what was received made durable; they go on when an agent starts again.
    func stopForLater() {
        for transfer in running.values {
            if let request = transfer.exchange?.request { multi?.remove(request) }
            transfer.keepForLater()
        }
        running = [:]
    }

    private func begin(_ transfer: ActiveTransfer) {
        do throws(TransferFailure) {
            let multi = try loadedMulti(for: transfer)
            let request = try transfer.begin(
                bufferBytes: running.count < Self.few ? Self.bufferBytes : Self.bufferBytesOfMany)
            running[request.handle] = transfer
            multi.add(request)
        } catch {
            conclude(transfer, with: .failed(error))
        }
    }

    private func loadedMulti(for transfer: ActiveTransfer) throws(TransferFailure) -> CurlMulti {
        if let multi { return multi }
        do {
            let loaded = try CurlMulti()
            multi = loaded
            return loaded
        } catch {
            throw .network("\(error)", transfer.url)
        }
    }

    private func stop(_ transfer: ActiveTransfer) {
        guard let request = transfer.exchange?.request else { return }
        multi?.remove(request)
        running[request.handle] = nil
    }

    private func end(_ transfer: ActiveTransfer, code: CURLcode) {
        stop(transfer)
        switch transfer.endExchange(code: code) {
        case .askForWhole:
            AgentLog.write("\(transfer.name): the server's partial answer does not fit; asking for the whole file")
            begin(transfer)
        case .failed(let failure):
            conclude(transfer, with: .failed(failure))
        case .delivered(let bytes, let status, let finalURL):
            let path = context.paths.stagingFile(task: transfer.task)
            conclude(
                transfer,
                with: .delivered(stagingPath: path, bytes: bytes, statusCode: status, finalURL: finalURL))
        }
    }

    // MARK: Recording the end

    private func conclude(_ transfer: ActiveTransfer, with result: TransferOutcome.Result) {
        slots.remove(task: transfer.task)
        let outcome = transfer.outcome(result)
        let folder = StagingFolder(paths: context.paths)
        let file = transfer.file
        let isDelivered = if case .delivered = result { true } else { false }
        context.desk.submit(
            prepare: {
                guard isDelivered else { return }
                try file?.synchronize()
                try folder.synchronize()
            },
            write: { try $0.finish(outcome) },
            cleanUp: { recorded in
                // Nobody takes in half a file, and it may be what fills the disk.
                if recorded, !isDelivered { folder.delete(task: outcome.taskIdentifier) }
            },
            then: { [weak self] recorded in self?.concluded(transfer, outcome, recorded) })
    }

    private func concluded(_ transfer: ActiveTransfer, _ outcome: TransferOutcome, _ recorded: Result<Bool, any Error>)
    {
        switch recorded {
        case .success(let stillKnown):
            // A cancel that came first has forgotten the transfer; then there is nobody to tell.
            guard stillKnown, transfers.removeValue(forKey: transfer.task) != nil else { return }
            switch outcome.result {
            case .delivered(_, let bytes, let status, _):
                AgentLog.write("\(transfer.name): delivered \(bytes) bytes, status \(status)")
            case .failed(let failure):
                AgentLog.write("\(transfer.name): failed (\(failure.kind.rawValue)): \(failure.message)")
            }
            delivered(outcome)
        case .failure(let error as SystemCallError):
            conclude(transfer, with: .failed(.disk(error, transfer.url)))
        case .failure(let error):
            AgentLog.write("\(transfer.name): its outcome could not be recorded, trying again in 5 s: \(error)")
            timers.set(.recordAgain(task: transfer.task), at: .now + .seconds(5)) { [weak self, weak transfer] in
                if let transfer { self?.conclude(transfer, with: outcome.result) }
            }
        }
    }
}
#endif
