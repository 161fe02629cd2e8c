#if os(Linux)
import BackgroundWorkModel
import BackgroundWorkTransfers
import Glibc

/// Carries out what clients ask. Every answer is sent after its change is durable.
final class RequestHandler {
    private let paths: AgentPaths
    private let epoch: String
    private let boot: String
    private let storage: StorageDesk
    private let transfers: TransferQueue
    private let outcomes: OutcomeDesk
    private let launcher: HostLauncher
    /// Sends an answer, if its client is still there.
    var answer: (ClientConnection, Int64, AgentReply) -> Void = { _, _, _ in }

    init(
        paths: AgentPaths, epoch: String, boot: String, storage: StorageDesk, transfers: TransferQueue,
        outcomes: OutcomeDesk, launcher: HostLauncher
    ) {
        self.paths = paths
        self.epoch = epoch
        self.boot = boot
        self.storage = storage
        self.transfers = transfers
        self.outcomes = outcomes
        self.launcher = launcher
    }

    func handle(_ frame: ClientFrame, from client: ClientConnection) {
        if case .hello(let version, let store, let minimum) = frame.request {
            sayHello(version: version, store: store, minimum: minimum, frame.id, client)
            return
        }
        guard let store = client.store else {
            refuse(.badRequest, "the first request of a connection must be hello", frame.id, client)
            client.isEnding = true
            return
        }
        switch frame.request {
        case .hello: break
        case .reserve(let specification): reserve(specification, frame.id, client)
        case .resume(let reference): resume(reference, frame.id, client)
        case .cancel(let reference): cancel(reference, frame.id, client)
        case .acknowledge(let reference): acknowledge(reference, frame.id, client)
        case .list: list(frame.id, client)
        case .receiveOutcomes:
            // The outcomes first: when the answer has come, all that there were have come.
            client.receivesOutcomes = true
            outcomes.deliver(preferring: store)
            answer(client, frame.id, .done)
        case .setLaunchCommand(let command): setLaunchCommand(command, frame.id, client)
        }
    }

    private func sayHello(
        version: Int, store: String, minimum: Int64, _ id: Int64, _ client: ClientConnection
    ) {
        guard version == FrameCodec.protocolVersion else {
            refuse(
                .badRequest,
                "this agent speaks version \(FrameCodec.protocolVersion) of the protocol, the client version "
                    + "\(version); end the agent (pid \(getpid())) and let the client start its own", id, client)
            client.isEnding = true
            return
        }
        let hello = AgentReply.hello(
            protocolVersion: FrameCodec.protocolVersion, epoch: epoch, processIdentifier: getpid())
        change(id, client, { try $0.raiseTaskIdentifiers(above: minimum) }) { [weak client] _ in
            client?.store = store
            return hello
        }
    }

    private func reserve(_ specification: TransferSpecification, _ id: Int64, _ client: ClientConnection) {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let time = WallTime(milliseconds: Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000)
        change(id, client, { try $0.reserve(specification, at: time) }) { reservation in
            switch reservation {
            case .reserved(let task): return .reserved(taskIdentifier: task)
            case .conflict(let state):
                return .failed(
                    AgentFailure(
                        code: .conflict,
                        message: "\(specification.reference) belongs to another transfer, which is \(state.rawValue); "
                            + "cancel that one first"))
            }
        }
    }

    private func resume(_ reference: TransferReference, _ id: Int64, _ client: ClientConnection) {
        let boot = boot
        change(id, client, { try $0.resume(reference, boot: boot) }) { [transfers] resumption in
            switch resumption {
            case .started(let record):
                transfers.add(record)
                return .done
            case .already: return .done
            case .unknown:
                return .failed(
                    AgentFailure(
                        code: .unknownTransfer, message: "\(reference) was never reserved here; reserve it first"))
            }
        }
    }

    private func cancel(_ reference: TransferReference, _ id: Int64, _ client: ClientConnection) {
        let folder = StagingFolder(paths: paths)
        storage.submit(
            write: { try $0.cancel(reference) }, cleanUp: { if let task = $0 { folder.delete(task: task) } }
        ) { [weak self, weak client] result in
            guard let self else { return }
            if case .success(let task?) = result {
                transfers.cancel(task: task)
                outcomes.forget(task: task)
                // libcurl may have made the file anew between the deletion and its end.
                storage.submit(write: { _ in }, cleanUp: { _ in folder.delete(task: task) }, then: { _ in })
                AgentLog.write("transfer \(task) (\(reference)) was cancelled")
            }
            guard let client else { return }
            answer(client, id, Self.reply(result) { _ in .done })
        }
    }

    private func acknowledge(_ reference: TransferReference, _ id: Int64, _ client: ClientConnection) {
        let folder = StagingFolder(paths: paths)
        storage.submit(
            write: { try $0.acknowledge(reference) },
            cleanUp: { if case .forgotten(let task) = $0 { folder.delete(task: task) } }
        ) { [weak self, weak client] result in
            guard let self else { return }
            if case .success(.forgotten(let task)) = result {
                outcomes.forget(task: task)
                launcher.hostWasUseful()
            }
            guard let client else { return }
            answer(
                client, id,
                Self.reply(result) { acknowledgement in
                    guard acknowledgement == .notFinished else { return .done }
                    return .failed(
                        AgentFailure(code: .conflict, message: "\(reference) has no outcome to acknowledge yet"))
                })
        }
    }

    private func list(_ id: Int64, _ client: ClientConnection) {
        change(id, client, { try $0.snapshots() }) { [transfers] snapshots in
            .transfers(
                list: snapshots.map { snapshot in
                    var snapshot = snapshot
                    if let progress = transfers.progress(of: snapshot.taskIdentifier) {
                        snapshot.receivedBytes = progress.received
                        snapshot.totalBytes = progress.total
                    }
                    return snapshot
                })
        }
    }

    private func setLaunchCommand(_ command: LaunchCommand?, _ id: Int64, _ client: ClientConnection) {
        if let complaint = command?.complaint {
            refuse(.badRequest, "the launch command cannot be used: \(complaint)", id, client)
            return
        }
        change(id, client, { try $0.setLaunchCommand(command) }) { [launcher] in
            launcher.command = command
            return .done
        }
    }

    /// Changes the journal, and answers once that is durable.
    private func change<Value: Sendable>(
        _ id: Int64, _ client: ClientConnection, _ write: @escaping @Sendable (Journal) throws -> Value,
        then reply: @escaping (Value) -> AgentReply
    ) {
        storage.submit(write: write) { [weak self, weak client] result in
            let answer = Self.reply(result, reply)
            if let self, let client { self.answer(client, id, answer) }
        }
    }

    private static func reply<Value>(
        _ result: Result<Value, any Error>, _ reply: (Value) -> AgentReply
    ) -> AgentReply {
        switch result {
        case .success(let value): return reply(value)
        case .failure(let error):
            return .failed(AgentFailure(code: .storage, message: "The agent's journal could not be written: \(error)"))
        }
    }

    private func refuse(_ code: AgentFailure.Code, _ message: String, _ id: Int64, _ client: ClientConnection) {
        answer(client, id, .failed(AgentFailure(code: code, message: message)))
    }
}
#endif
