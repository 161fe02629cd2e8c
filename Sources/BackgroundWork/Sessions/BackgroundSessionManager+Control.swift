import BackgroundWorkModel
import BackgroundWorkStorage
import BackgroundWorkTransfers

extension BackgroundSessionManager {
    /// Cancels the work with this id, and its transfer; the same as ``WorkScheduler/cancel(id:)``.
    @discardableResult
    public func cancel(id: String) async throws -> CancelResult { try await scheduler.cancel(id: id) }

    /// Pauses the transfer of a work item until ``resume(id:)``. Durable when it returns.
    ///
    /// Bytes that have arrived are kept; the transfer's time limit continues to run. It stays paused over restarts of
    /// the host, the daemon and the machine, and when its work is retried. Work that has not been handed off yet is
    /// marked: its worker runs, and the daemon holds the transfer from the start. Replacing the work, and
    /// ``WorkScheduler/retry(id:)`` after it has ended, end the pause.
    ///
    /// Throws the database's errors; nothing has changed then. A chain is paused by the ids of its members.
    @discardableResult
    public func pause(id: String) async throws -> TransferPauseResult {
        switch try await hold(true, id: id) {
        case .told: .paused
        case .beforeHandOff: .beforeHandOff
        case .unreachable(let reason): .whenReachable(reason: reason)
        case .record(let record):
            if record == nil {
                .unknown
            } else if record?.status.state == .finishing {
                .tooLate
            } else {
                record?.status.state.isFinished == true ? .alreadyFinished : .notATransfer
            }
        }
    }

    /// Resumes the transfer of a work item. Durable when it returns. Throws the database's errors.
    @discardableResult
    public func resume(id: String) async throws -> TransferResumeResult {
        switch try await hold(false, id: id) {
        case .told(let changed): changed ? .resumed : .notPaused
        case .beforeHandOff(let changed): changed ? .beforeHandOff : .notPaused
        case .unreachable(let reason): .whenReachable(reason: reason)
        case .record(let record):
            if record == nil {
                .unknown
            } else if record?.status.state == .finishing || record?.status.state.isFinished == true {
                .alreadyFinished
            } else {
                .notATransfer
            }
        }
    }

    private enum Answer {
        case told(changed: Bool)
        case beforeHandOff(changed: Bool)
        case unreachable(reason: String)
        /// Nothing could be done to it.
        case record(WorkRecord?)
    }

    /// First the store, then the daemon. A hand-off reads the store after its reservation, so that either it sees the
    /// mark, or the reservation exists and can be held.
    private func hold(_ isHeld: Bool, id: String) async throws -> Answer {
        let handsOff = scheduler.handsOffTransfers
        let record = try await scheduler.store.write { transaction -> WorkRecord? in
            guard let record = try transaction.record(id: id), handsOff(record.workerName) else { return nil }
            return try transaction.hold(isHeld, transferOf: id)
        }
        guard let record, !record.status.state.isFinished, record.status.state != .finishing else {
            return .record(try await scheduler.store.read { try $0.record(id: id) })
        }
        let changed = record.flags.contains(.holdsTransfer) != isHeld
        let isHandedOff = record.status.state == .handedOff
        // Waiting work may have a reservation of a process that has died, but only its hand-off can continue with
        // that.
        guard isHandedOff || record.status.state == .running || (!isHeld && record.startedAt != nil) else {
            return .beforeHandOff(changed: changed)
        }
        guard let service = scheduler.transferService else {
            return .unreachable(reason: UnsupportedTransfersError().description)
        }
        do {
            try await service.setPaused(
                TransferReference(store: scheduler.store.identity, key: record.transferKey), isHeld)
        } catch {
            return .unreachable(reason: "\(error)")
        }
        return isHandedOff ? .told(changed: changed) : .beforeHandOff(changed: changed)
    }
}

/// What a pause of a transfer did.
public enum TransferPauseResult: Sendable, Hashable {
    /// The daemon holds it, also over restarts of the host and of the machine, until it is resumed.
    case paused
    /// It has not been handed off yet. Its worker will run and hand it off, and the daemon will hold it then.
    case beforeHandOff
    /// It is stored, but the daemon could not be reached, for the given reason; the transfer may continue until the
    /// next connection, at which it is paused.
    case whenReachable(reason: String)
    /// The file has arrived and is being moved into place.
    case tooLate
    /// The work had finished before.
    case alreadyFinished
    /// The work's worker does not hand transfers off. To prevent work from running, pause its queue.
    case notATransfer
    /// There is no such work.
    case unknown
}

/// What resuming a transfer did.
public enum TransferResumeResult: Sendable, Hashable {
    /// The daemon continues it, from the byte that it had if the server allows that.
    case resumed
    /// It has not been handed off yet, and will not be held when it is.
    case beforeHandOff
    /// It is stored, but the daemon could not be reached, for the given reason; it continues with the next
    /// connection.
    case whenReachable(reason: String)
    /// It was not paused.
    case notPaused
    /// The work had finished before, or its file is being moved into place.
    case alreadyFinished
    /// The work's worker does not hand transfers off.
    case notATransfer
    /// There is no such work.
    case unknown
}
