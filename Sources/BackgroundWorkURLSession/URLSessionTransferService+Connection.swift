import BackgroundWorkModel
import BackgroundWorkTransfers

/// What the receiver is told, and in which order.
extension URLSessionTransferService {
    /// Opens the journal, learns which tasks there are, and tells a new receiver of them.
    func connect() async throws {
        let epoch = try journal().journal.epoch
        await attachSessions()
        guard standing == .away, let receiver else { return }
        standing = .introducing
        await receiver.connected(epoch: epoch, transfers: snapshots)
        // Disconnected, or replaced, in the meantime.
        guard standing == .introducing else { return }
        standing = .told
        for transfer in inOrder { deliver(transfer) }
        await receiver.caughtUp()
        let active = snapshots.filter { $0.state == .active }.map(TransferProgress.init)
        if !active.isEmpty { receiver.receive(active) }
    }

    /// For how long a session may take to tell what has happened: the system gives a process that it has launched for a
    /// session about 30 seconds.
    private static let longestDelivery = Duration.seconds(20)

    package func untilDelivered(session identifier: String) async {
        guard provider.outlivesProcess else { return }
        do { try await connect() } catch {
            return report("The events of the session \(identifier) wait for the next launch: \(error)")
        }
        _ = await session(identifier)
        let active = active(in: identifier)
        if backlog.isDelivered(identifier, active: active, at: clock.uptime) { return }
        await withCheckedContinuation { continuation in
            let number = backlog.wait(for: identifier, active: active, continuation)
            Task {
                try? await clock.sleep(for: Self.longestDelivery)
                guard backlog.giveUp(number, in: identifier) else { return }
                report(
                    "The system has not said within \(Self.longestDelivery) that all events of the session "
                        + "\(identifier) were told; its handler is called, and what comes later is processed then.")
            }
        }
    }

    /// The session's transfers that have not ended, with those of the ancestor that are yet to be taken over.
    private func active(in session: String) -> Set<TransferReference> {
        let own = transfers.values.filter { $0.session == session && $0.state == .active }.map(\.reference)
        let entries = (try? stateStore.entries()) ?? []
        let older = entries.filter { $0.sessionIdentifier == session && $0.reference == nil }.map {
            TaskLabel.adopted($0, by: store)
        }
        return Set(own + older).subtracting(transfers.values.filter { $0.state != .active }.map(\.reference))
    }

    /// Those of the state file as well: the journal may be a new one.
    private func attachSessions() async {
        let attaching =
            attaching
            ?? Task {
                let listed = (try? stateStore.entries().map(\.sessionIdentifier)) ?? []
                let recorded = transfers.values.filter { $0.state != .finished }.map(\.session)
                for identifier in Set(listed + recorded) { _ = await session(identifier) }
            }
        self.attaching = attaching
        await attaching.value
    }

    /// Each outcome once in a connection.
    func deliver(_ transfer: SessionTransfer) {
        guard standing == .told, let receiver, let outcome = transfer.outcome,
            delivered.insert(transfer.reference).inserted
        else { return }
        receiver.receive(outcome)
    }

    private var inOrder: [SessionTransfer] { transfers.values.sorted { $0.number < $1.number } }

    var snapshots: [TransferSnapshot] { inOrder.map(snapshot) }

    func snapshot(_ transfer: SessionTransfer) -> TransferSnapshot {
        let specification = transfer.specification
        let count = counts[transfer.reference] ?? TransferCount()
        let state: TransferSnapshot.State =
            switch transfer.state {
            case .reserved: .reserved
            case .active, .received: .active
            case .finished: .finished
            }
        return TransferSnapshot(
            reference: transfer.reference, sessionIdentifier: transfer.session,
            taskIdentifier: transfer.identifier, state: state, receivedBytes: count.bytes, totalBytes: count.total,
            url: ShownURL.text(specification.url), savePath: specification.savePath,
            isUpload: specification.job.isUpload, priority: specification.options.priority,
            group: specification.options.group, phase: phase(of: transfer))
    }

    private func phase(of transfer: SessionTransfer) -> TransferPhase {
        switch (transfer.state, transfer.outcome?.result) {
        case (.finished, .failed(let failure)): .failed(message: failure.message)
        case (.finished, _): .succeeded
        case (.received, _): .finishing
        case (_, _) where transfer.isPaused: .paused
        case (.reserved, _): .waiting(.host)
        case (.active, _) where transfer.nextAttempt.map { $0 > now } ?? false: .waiting(.nextTry)
        case (.active, _) where transfer.specification.options.earliestBegin.map { $0 > clock.now } ?? false:
            .waiting(.earliestBegin)
        case (.active, _): .running
        }
    }
}
