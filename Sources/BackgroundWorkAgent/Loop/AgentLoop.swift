#if os(Linux)
import BackgroundWorkModel
import BackgroundWorkTransfers
import CBackgroundWorkLinux
import Glibc

/// The agent's one thread for everything that does not wait for the disk.
///
/// It sleeps until a descriptor is ready; only a backoff or the idle exit sets a time limit.
final class AgentLoop {
    private let listener: ListeningSocket
    private let signals: Int32
    private let wake: WakeDescriptor
    private let storage: StorageDesk
    private let timers: LoopTimers
    private let transfers: TransferQueue
    private let clients: ClientList
    private let outcomes: OutcomeDesk
    private let launcher: HostLauncher
    private let handler: RequestHandler
    private let idleDelay: Duration
    private var poller = EventPoller()
    private var reasonToLeave: String?
    /// An agent that a client has started waits at least this long for that client.
    private static let patienceForFirstClient = Duration.seconds(5)
    private var hadClient = false

    init(
        options: AgentOptions, listener: ListeningSocket, signals: Int32, wake: WakeDescriptor, queue: StorageQueue,
        boot: String, start: StartingState
    ) {
        let paths = AgentPaths(schedulerDirectory: options.directory)
        self.listener = listener
        self.signals = signals
        self.wake = wake
        idleDelay = .seconds(options.idleExitSeconds)
        storage = StorageDesk(queue: queue, wake: wake)
        timers = LoopTimers()
        clients = ClientList()
        transfers = TransferQueue(paths: paths, boot: boot, storage: storage, timers: timers)
        outcomes = OutcomeDesk(clients: clients, outcomes: start.outcomes)
        launcher = HostLauncher(paths: paths, timers: timers, command: start.launchCommand)
        handler = RequestHandler(
            paths: paths, epoch: start.epoch, boot: boot, storage: storage, transfers: transfers,
            outcomes: outcomes, launcher: launcher)
        connectParts()
        for record in start.active { transfers.add(record) }
    }

    /// Runs until the agent has nothing to do for a while, or is asked to leave. Returns why.
    func run() -> String {
        while true {
            storage.deliverAnswers()
            transfers.perform()
            timers.run(now: .now)
            dropLostClients()
            launchHostIfNeeded()
            watchForIdleness()
            if let reasonToLeave { return reasonToLeave }
            wait()
        }
    }

    /// Leaves in an order that loses nobody: no new connections, then no transfers; what they have is durable.
    func close() {
        listener.closeAndRemove()
        transfers.stop()
    }

    private func connectParts() {
        transfers.ended = { [weak self] outcome in
            guard let self else { return }
            switch outcome.result {
            case .delivered(_, let bytes, let status, _):
                AgentLog.write("transfer \(outcome.taskIdentifier) has ended: \(status), \(bytes) bytes")
            case .failed(let failure): AgentLog.write("transfer \(outcome.taskIdentifier) has failed: \(failure)")
            }
            outcomes.add(outcome)
        }
        handler.answer = { [weak self] client, id, reply in self?.clients.send(.reply(id: id, reply: reply), to: client)
        }
        storage.damageFound = { [weak self] error in
            // The next agent sets the journal aside and begins another; clients learn it from the epoch.
            self?.reasonToLeave = "the journal is damaged: \(error)"
        }
    }

    private func wait() {
        poller.reset()
        poller.watch(listener.descriptor)
        poller.watch(signals)
        poller.watch(wake.descriptor)
        for client in clients.all { poller.watch(client.descriptor, forWriting: client.hasOutput) }
        poller.wait(transfers: transfers.multi, milliseconds: millisecondsToNextTimer)
        for descriptor in poller.ready { handleReady(descriptor) }
    }

    private var millisecondsToNextTimer: Int32? {
        guard let due = timers.nextDue else { return nil }
        let left = LoopTimers.Instant.now.duration(to: due)
        // Rounded up, so that the loop does not come round just before the instant.
        return Int32(clamping: max(0, (left + .microseconds(999)).milliseconds))
    }

    private func handleReady(_ descriptor: Int32) {
        switch descriptor {
        case listener.descriptor: acceptConnections()
        case signals: handleSignals()
        case wake.descriptor: wake.clear()
        default: if let client = clients.client(descriptor) { converse(with: client) }
        }
    }

    private func acceptConnections() {
        do {
            while let connection = try listener.accept() {
                clients.add(connection)
                hadClient = true
            }
        } catch {
            // Out of descriptors, most likely; those that wait are accepted when some are free again.
            AgentLog.write("\(error)")
        }
    }

    private func handleSignals() {
        while true {
            switch bgw_read_signal(signals) {
            case 0: return
            case SIGCHLD: launcher.reap()
            case let number: reasonToLeave = "signal \(number)"
            }
        }
    }

    private func converse(with client: ClientConnection) {
        guard client.flush(), client.receive() else {
            clients.lose(client)
            return
        }
        do {
            while let body = try client.nextFrame() {
                handler.handle(try FrameCodec.decode(ClientFrame.self, from: body), from: client)
            }
        } catch {
            AgentLog.write("a client was turned away: \(error)")
            let failure = AgentFailure(code: .badRequest, message: "\(error)")
            clients.send(.reply(id: 0, reply: .failed(failure)), to: client)
            client.isEnding = true
        }
        if client.isEnding, !client.hasOutput { clients.lose(client) }
    }

    private func dropLostClients() {
        let lost = clients.removeLost()
        for client in lost { outcomes.release(client) }
        if let store = lost.compactMap(\.store).first { outcomes.deliver(preferring: store) }
    }

    private func launchHostIfNeeded() {
        guard outcomes.hasUndelivered, !clients.all.contains(where: \.receivesOutcomes) else { return }
        launcher.launch()
    }

    private func watchForIdleness() {
        let isWaitingForHost = outcomes.hasUndelivered && launcher.command != nil
        let isIdle =
            clients.isEmpty && transfers.isEmpty && storage.isIdle && !isWaitingForHost && !launcher.isBusy
        if !isIdle {
            timers.cancel(.idleExit)
        } else if !timers.isSet(.idleExit) {
            let delay = hadClient ? idleDelay : max(idleDelay, Self.patienceForFirstClient)
            timers.set(.idleExit, at: .now.advanced(by: delay)) { [weak self] in
                self?.reasonToLeave = "nothing to do"
            }
        }
    }
}
#endif
