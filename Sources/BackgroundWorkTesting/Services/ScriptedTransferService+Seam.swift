import BackgroundWork
import BackgroundWorkModel
import BackgroundWorkTransfers
import Foundation

/// The interface for a scheduler.
extension ScriptedTransferService: TransferService {
    package func reserve(_ specification: TransferSpecification) async throws -> Int64 {
        try await connect()
        let (task, satisfied) = try state.withLock { state in
            if let index = state.index(of: specification.reference) {
                let known = state.records[index]
                guard known.specification == specification || !known.isStarted else {
                    throw AgentFailure(
                        code: .conflict,
                        message: "Transfer \(specification.reference) is already active with another specification.")
                }
                state.records[index].specification = specification
                return (known.task, state.takeSatisfied())
            }
            state.records.append(.init(specification: specification, task: state.nextTask))
            state.nextTask += 1
            return (state.nextTask - 1, state.takeSatisfied())
        }
        for waiter in satisfied { waiter.resume() }
        return task
    }

    package func resume(_ reference: TransferReference) async throws {
        try await connect()
        try change { state in
            guard let index = state.index(of: reference) else {
                throw AgentFailure(
                    code: .unknownTransfer, message: "Transfer \(reference) was never reserved. Reserve it first.")
            }
            guard !state.records[index].isStarted else { return nil }
            state.records[index].isStarted = true
            guard !state.records[index].isPaused else { return index }
            state.records[index].outcome = try automatic(state.records[index].transfer).map {
                try outcome($0, of: state.records[index])
            }
            return index
        }
    }

    package func setPaused(_ reference: TransferReference, _ isPaused: Bool) async throws {
        try await connect()
        try change { state in
            guard let index = state.index(of: reference), state.records[index].outcome == nil,
                state.records[index].isPaused != isPaused
            else { return nil }
            state.records[index].isPaused = isPaused
            if state.records[index].isRunning {
                state.records[index].outcome = try automatic(state.records[index].transfer).map {
                    try outcome($0, of: state.records[index])
                }
            }
            return index
        }
    }

    package func cancel(_ references: [TransferReference]) async throws {
        try await connect()
        references.forEach(forget)
    }

    package func acknowledge(_ reference: TransferReference) async throws {
        try await connect()
        forget(reference)
    }

    package func transfers() async throws -> [TransferSnapshot] {
        try await connect()
        return state.withLock { $0.records.map(\.snapshot) }
    }

    package func receive(with receiver: any TransferReceiver, immediately: Bool) async {
        let isReachable = state.withLock { state in
            state.receiver = receiver
            state.standing = .away
            return state.isReachable
        }
        guard immediately else { return }
        if isReachable { await introduce() } else { await receiver.unreachable(ScriptedTransferError.unreachable) }
    }

    package func disconnect() async {
        state.withLock { state in
            state.receiver = nil
            state.standing = .away
        }
    }

    private func forget(_ reference: TransferReference) {
        let (staged, satisfied) = state.withLock { state in
            let tasks = state.records.filter { $0.specification.reference == reference }.map(\.task)
            state.records.removeAll { $0.specification.reference == reference }
            return (tasks.map(stagingPath), state.takeSatisfied())
        }
        for path in staged { try? FileManager.default.removeItem(atPath: path) }
        for waiter in satisfied { waiter.resume() }
    }

    private func connect() async throws {
        let isReachable = state.withLock { $0.isReachable }
        guard isReachable else { throw ScriptedTransferError.unreachable }
        await introduce()
    }

    /// Informs a new receiver of what there is: transfers, outcomes, progress, in this order.
    func introduce() async {
        let news = state.withLock { state -> (any TransferReceiver, Int, [TransferSnapshot])? in
            guard let receiver = state.receiver, state.standing == .away, state.isReachable else { return nil }
            state.standing = .introducing
            return (receiver, state.epoch, state.records.map(\.snapshot))
        }
        guard let (receiver, epoch, snapshots) = news else { return }
        await receiver.connected(epoch: "scripted-\(epoch)", transfers: snapshots)
        let waiting = state.withLock { state -> (outcomes: [TransferOutcome], progress: [TransferProgress])? in
            // Disconnected again meanwhile.
            guard state.standing == .introducing else { return nil }
            state.standing = .told
            let active = state.records.map(\.snapshot).filter { $0.state == .active }
            return (state.records.compactMap(\.outcome), active.map(TransferProgress.init))
        }
        guard let waiting else { return }
        for outcome in waiting.outcomes { receiver.receive(outcome) }
        await receiver.caughtUp()
        if !waiting.progress.isEmpty { receiver.receive(waiting.progress) }
    }

    /// Changes a transfer, and informs the receiver of its new state. `body` returns its index; `nil` for none.
    func change(_ body: (inout ScriptedState) throws -> Int?) throws {
        let (record, receiver, satisfied) = try state.withLock { state in
            let record = try body(&state).map { state.records[$0] }
            return (record, state.standing == .told ? state.receiver : nil, state.takeSatisfied())
        }
        if let record {
            if record.isStarted { receiver?.receive([TransferProgress(record.snapshot)]) }
            if let outcome = record.outcome { receiver?.receive(outcome) }
        }
        for waiter in satisfied { waiter.resume() }
    }

    private func stagingPath(_ task: Int64) -> String { staging + "/\(task).part" }

    func outcome(_ scripted: ScriptedOutcome, of record: ScriptedState.Record) throws -> TransferOutcome {
        let specification = record.specification
        let workID = specification.reference.key.workID
        var details = TransferDetails()
        let result: TransferOutcome.Result
        switch (scripted, specification.job) {
        case (.downloaded(let content, let status, let headers, let name), .download(let job)):
            details.headers = headers
            details.add(job, under: specification.securityPolicy)
            if job.savesIntoFolder { details.suggestedName = name ?? "download" }
            try Data(content).write(to: URL(filePath: stagingPath(record.task)))
            result = .delivered(
                stagingPath: stagingPath(record.task), bytes: Int64(content.count), statusCode: status,
                finalURL: specification.url)
        case (.uploaded(let status, let headers, let body), .upload(let job)):
            details.headers = headers
            details.responseBody = body
            result = .uploaded(bytes: job.source.bytes, statusCode: status, finalURL: specification.url)
        case (.failed(let message, let isRetryable, let status), _):
            result = .failed(
                TransferFailure(
                    kind: status == nil ? .network : .status, message: message, isRetryable: isRetryable,
                    statusCode: status))
        case (.downloaded, .upload), (.uploaded, .download):
            throw ScriptedTransferError.wrongDirection(workID: workID)
        }
        return TransferOutcome(
            reference: specification.reference, sessionIdentifier: specification.sessionIdentifier,
            taskIdentifier: record.task, savePath: specification.savePath, workerName: specification.workerName,
            result: result, details: details)
    }
}
