import BackgroundWorkModel
import BackgroundWorkSystem
import BackgroundWorkTransfers

/// Carries out the requests of clients. A request is answered only after its changes are committed.
final class RequestHandler {
    private let epoch: String
    private let context: TransferContext
    private let engine: TransferEngine
    private let outcomes: OutcomeQueue
    private let wakes: WakeTimetable
    private let launcher: HostLauncher

    init(
        epoch: String, context: TransferContext, engine: TransferEngine, outcomes: OutcomeQueue, wakes: WakeTimetable,
        launcher: HostLauncher
    ) {
        self.epoch = epoch
        self.context = context
        self.engine = engine
        self.outcomes = outcomes
        self.wakes = wakes
        self.launcher = launcher
    }

    /// Reads what has arrived on a connection and carries it out.
    func serve(_ connection: ClientConnection) {
        connection.receive()
        do {
            while let body = try connection.nextFrame() {
                let frame = try FrameCodec.decode(ClientFrame.self, from: body)
                handle(frame.request, id: frame.id, of: connection)
            }
        } catch {
            refuse(connection, id: 0, "The connection is closed: \(error).")
        }
    }

    private func refuse(_ connection: ClientConnection, id: Int64, _ message: String) {
        AgentLog.write("a client's request was rejected: \(message)")
        connection.send(.reply(id: id, reply: .failed(AgentFailure(code: .badRequest, message: message))))
        connection.closeWhenSent()
    }

    private func handle(_ request: AgentRequest, id: Int64, of connection: ClientConnection) {
        guard let store = connection.store else {
            guard case .hello(let version, let store, let minimum) = request else {
                return refuse(connection, id: id, "The first request must be hello.")
            }
            return greet(connection, id: id, version: version, store: store, minimum: minimum)
        }
        switch request {
        case .hello:
            refuse(connection, id: id, "This connection has already sent hello.")
        case .reserve(let document):
            reserve(document, id: id, of: connection)
        case .resume(let reference):
            resume(reference, id: id, of: connection)
        case .cancel(let references):
            cancel(references, id: id, of: connection)
        case .acknowledge(let reference):
            acknowledge(reference, id: id, of: connection)
        case .list(let after):
            submit(id, of: connection, { try $0.snapshots(after: after) }) { [engine] in
                .transfers(list: $0.list.map(engine.live), next: $0.next)
            }
        case .setPaused(let reference, let isPaused):
            submit(id, of: connection, { try $0.setPaused(reference, isPaused) }) { [engine] task in
                if let task { engine.setPaused(task: task, isPaused) }
                return .done
            }
        case .setLimits(let limits):
            setLimits(limits, id: id, of: connection)
        case .followProgress:
            submit(id, of: connection, { _ in }) { [engine] _ in
                engine.progress.follow(connection)
                return .done
            }
        case .receiveOutcomes:
            // The outcomes are sent first: the answer tells the client that it has received all outcomes that existed.
            submit(id, of: connection, { _ in }) { [outcomes] _ in
                connection.isReceiver = true
                outcomes.deliver(to: [connection])
                return .done
            }
        case .setLaunchCommand(let command):
            setLaunchCommand(command, id: id, of: connection)
        case .setWakes(let list):
            setWakes(list, of: store, id: id, on: connection)
        }
    }

    private func greet(_ connection: ClientConnection, id: Int64, version: Int, store: String, minimum: Int64) {
        guard version == FrameCodec.protocolVersion else {
            return refuse(
                connection, id: id,
                "This agent speaks version \(FrameCodec.protocolVersion) of the protocol, not \(version). "
                    + "Run agent and host from the same version of the package.")
        }
        connection.store = store
        let epoch = epoch
        submit(id, of: connection, { try $0.raiseTaskIdentifiers(above: minimum) }) { _ in
            .hello(protocolVersion: FrameCodec.protocolVersion, epoch: epoch, processIdentifier: getpid())
        }
    }

    private func reserve(_ document: SpecificationDocument, id: Int64, of connection: ClientConnection) {
        let now = WallTime.now()
        submit(id, of: connection, { try $0.reserve(document, at: now) }) {
            switch $0 {
            case .reserved(let task): .reserved(taskIdentifier: task)
            case .conflict(let state):
                .failed(
                    AgentFailure(
                        code: .conflict,
                        message: "Transfer \(document.specification.reference) is already \(state.rawValue) with "
                            + "another specification. Cancel it first, or use a new generation."))
            }
        }
    }

    private func resume(_ reference: TransferReference, id: Int64, of connection: ClientConnection) {
        let (boot, now) = (context.boot, WallTime.now())
        submit(id, of: connection, { try $0.resume(reference, at: now, boot: boot) }) { [engine] in
            switch $0 {
            case .started(let record):
                engine.start(record)
                return .done
            case .already:
                return .done
            case .unknown:
                return .failed(
                    AgentFailure(
                        code: .unknownTransfer, message: "Transfer \(reference) was never reserved. Reserve it first."))
            }
        }
    }

    private func cancel(_ references: [TransferReference], id: Int64, of connection: ClientConnection) {
        let folder = StagingFolder(paths: context.paths)
        submit(
            id, of: connection, { journal in try references.compactMap { try journal.cancel($0) } },
            cleanUp: { for task in $0 { folder.delete(task: task) } }
        ) { [engine, outcomes] in
            for task in $0 {
                engine.abandon(task: task)
                outcomes.remove(task: task)
            }
            return .done
        }
    }

    private func acknowledge(_ reference: TransferReference, id: Int64, of connection: ClientConnection) {
        let folder = StagingFolder(paths: context.paths)
        submit(
            id, of: connection, { try $0.acknowledge(reference) },
            cleanUp: { if case .forgotten(let task) = $0 { folder.deleteFile(task: task) } }
        ) { [outcomes, launcher] in
            switch $0 {
            case .forgotten(let task):
                outcomes.remove(task: task)
                launcher.hostHasActed()
                return .done
            case .unknown:
                return .done
            case .notFinished:
                return .failed(
                    AgentFailure(
                        code: .badRequest,
                        message:
                            "Transfer \(reference) has no outcome to acknowledge yet. Cancel it to discard it."))
            }
        }
    }

    private func setLaunchCommand(_ command: LaunchCommand?, id: Int64, of connection: ClientConnection) {
        if let command, command.arguments.first?.hasPrefix("/") != true || !command.workingDirectory.hasPrefix("/") {
            let failure = AgentFailure(
                code: .badRequest, message: "The launch command needs absolute paths of a program and a folder.")
            return connection.send(.reply(id: id, reply: .failed(failure)))
        }
        submit(id, of: connection, { try $0.setLaunchCommand(command) }) { [launcher] _ in
            launcher.command = command
            return .done
        }
    }

    private func setLimits(_ limits: TransferLimits, id: Int64, of connection: ClientConnection) {
        guard limits.overall > 0, limits.perHost > 0, limits.perSession > 0, limits.bytesPerSecond ?? 1 > 0 else {
            let failure = AgentFailure(code: .badRequest, message: "Limits of transfers must be above zero.")
            return connection.send(.reply(id: id, reply: .failed(failure)))
        }
        submit(id, of: connection, { try $0.setLimits(limits) }) { [engine] in
            engine.setLimits(limits)
            return .done
        }
    }

    private func setWakes(_ list: WakeList, of store: String, id: Int64, on connection: ClientConnection) {
        let abandoned = wakes.storesAbandoned(for: store)
        submit(id, of: connection, { try $0.setWakes(list, of: store, forgetting: abandoned) }) {
            [wakes, launcher] _ in
            if wakes.replace(list, of: store, forgetting: abandoned) { launcher.hostHasActed() }
            return .done
        }
    }

    /// Runs a change on the storage queue and answers when it is committed.
    private func submit<Value: Sendable>(
        _ id: Int64, of connection: ClientConnection, _ write: @escaping @Sendable (Journal) throws -> Value,
        cleanUp: @escaping @Sendable (Value) -> Void = { _ in }, reply: @escaping (Value) -> AgentReply
    ) {
        connection.outstanding += 1
        context.staging.submit(write: write, cleanUp: cleanUp) { result in
            connection.outstanding -= 1
            switch result {
            case .success(let value):
                connection.send(.reply(id: id, reply: reply(value)))
            case .failure(let error):
                AgentLog.write("a request failed: \(error)")
                let failure = AgentFailure(
                    code: .storage, message: "The agent's journal could not be written: \(error)")
                connection.send(.reply(id: id, reply: .failed(failure)))
            }
        }
    }
}

extension TransferEngine {
    /// A snapshot with the current progress instead of the journal's.
    fileprivate func live(_ snapshot: TransferSnapshot) -> TransferSnapshot {
        guard let transfer = transfers[snapshot.taskIdentifier] else { return snapshot }
        var snapshot = snapshot
        snapshot.receivedBytes = transfer.work.bytes
        snapshot.totalBytes = transfer.work.totalBytes
        snapshot.phase = phase(of: transfer)
        snapshot.bytesPerSecond = progress.bytesPerSecond(of: transfer.task)
        return snapshot
    }
}
