import BackgroundWorkExchange
import BackgroundWorkFiles
import BackgroundWorkModel
import BackgroundWorkSystem
import BackgroundWorkTransfers
import CBackgroundWorkLinux

/// The agent: one network loop on the calling thread, one storage queue beside it.
final class Agent {
    private let folder: AgentFolder
    private let lockWatch: LockWatch
    private let idleExit: Duration?
    private let signals: Int32
    private let wake: WakeDescriptor
    private let storage: StorageQueue
    private let staging: StagingClient
    private let timers = LoopTimers()
    private let idleMemory: IdleMemory
    private let outcomes = OutcomeQueue()
    private let wakes: WakeTimetable
    private let connections: ConnectionTable
    private let engine: TransferEngine
    private let launcher: HostLauncher
    private let requests: RequestHandler
    private var poller = EventPoller()
    private var leaving: Leaving?
    /// An agent that a client has started stays at least this long for that client.
    private static let patienceForFirstClient = Duration.seconds(5)
    private var hadClient = false

    private enum Leaving {
        case idle
        case asked(signal: Int32)
        case damaged(String)
        /// Its folder was deleted.
        case withoutFolder
    }

    /// Starts serving: when this returns, clients can connect, and the byte was written to `readyDescriptor`.
    /// - Parameter idleExit: `nil` to stay until told to leave, and to wait while another agent serves the directory.
    init(paths: AgentPaths, readyDescriptor: Int32?, idleExit: Duration?, device: any DeviceWatching) throws {
        self.idleExit = idleExit
        try Self.prepareProcess()
        // Before signals are blocked: while the agent waits for another agent's lock, a signal can still end it.
        folder = try AgentFolder(paths: paths, contention: idleExit == nil ? .wait : .giveUp)
        OwnDirectories.register(paths.schedulerDirectory)
        lockWatch = LockWatch(folder: folder.descriptor)
        AgentLog.keepSmall(paths.log)
        signals = try Self.takeSignals()
        wake = try WakeDescriptor()
        let boot = try BootIdentifier.read()
        storage = StorageQueue(paths: paths, boot: boot)
        staging = StagingClient(queue: storage, wake: wake)
        let state = try storage.open()
        let context = TransferContext(
            staging: staging, exchanges: ExchangePool(), timers: timers, paths: paths, boot: boot)
        engine = try TransferEngine(
            context: context, limits: state.limits ?? TransferLimits(),
            monitor: DeviceMonitor(device: device, wake: wake), delivered: outcomes.add)
        idleMemory = IdleMemory(timers: timers)
        launcher = HostLauncher(paths: paths, command: state.launchCommand, timers: timers)
        wakes = try WakeTimetable(wakes: state.wakes, device: device, wake: wake)
        requests = RequestHandler(
            epoch: state.epoch, context: context, engine: engine, outcomes: outcomes, wakes: wakes, launcher: launcher)
        connections = ConnectionTable(listening: try folder.listen(), timers: timers)
        for outcome in state.outcomes { outcomes.add(outcome) }
        for record in state.active { engine.start(record) }
        let wakeCount = state.wakes.values.reduce(0) { $0 + $1.times.count + $1.files.count }
        AgentLog.write(
            "serving \(paths.schedulerDirectory): journal \(state.epoch), \(state.active.count) transfers to continue, "
                + "\(state.outcomes.count) outcomes to deliver, \(wakeCount) wakes")
        staging.damageFound = { [weak self] in self?.leaving = .damaged($0.description) }
        Self.report(to: readyDescriptor)
    }

    deinit { close(signals) }

    private static func prepareProcess() throws {
        // In a process started without standard streams, the first files it opens would get their descriptors.
        var descriptor = open("/dev/null", O_RDWR)
        while descriptor >= 0, descriptor <= STDERR_FILENO { descriptor = open("/dev/null", O_RDWR) }
        if descriptor >= 0 { close(descriptor) }
        signal(SIGPIPE, SIG_IGN)
        // A file beyond the limit of the process (RLIMIT_FSIZE) is then an ordinary disk error and does not end the
        // process.
        signal(SIGXFSZ, SIG_IGN)
        // If it were ignored, as inherited from some parents, the end of a launched host would not be reported.
        signal(SIGCHLD, SIG_DFL)
        guard chdir("/") == 0 else { throw SystemCallError("chdir", "/") }
    }

    /// Signals are blocked before any other thread exists, so that every thread inherits the mask; they are read from a
    /// descriptor.
    private static func takeSignals() throws -> Int32 {
        let signals = bgw_signal_descriptor([SIGTERM, SIGINT, SIGHUP, SIGCHLD], 4)
        guard signals >= 0 else { throw SystemCallError("signalfd", "of the network loop") }
        return signals
    }

    private static func report(to readyDescriptor: Int32?) {
        guard let readyDescriptor else { return }
        var byte: UInt8 = 1
        _ = write(readyDescriptor, &byte, 1)
        close(readyDescriptor)
    }

    /// Serves until there is nothing to do or it is told to leave.
    func run() throws {
        while leaving == nil {
            staging.deliverAnswers()
            let now = SuspendingClock.now
            timers.run(now: now)
            engine.perform(now: now)
            serveHosts()
            watchIdleness(now: now)
            idleMemory.watch(isIdle: engine.isIdle && staging.isIdle, now: now)
            connections.flush()
            guard leaving == nil else { break }
            wait()
        }
        try leave()
    }

    private func serveHosts() {
        for lost in connections.takeClosed() {
            outcomes.release(lost)
            engine.progress.leave(lost)
        }
        let receivers = connections.receivers
        outcomes.deliver(to: receivers)
        let standing = wakes.standing(connected: connections.stores)
        if !outcomes.isEmpty, receivers.isEmpty {
            launcher.launch(for: .undeliveredOutcomes)
        } else if let reason = standing.reason {
            launcher.launch(for: reason)
        } else if !standing.hasOverdue {
            launcher.stopWaiting()
        }
        wakes.arm(for: launcher.isReady ? standing : nil)
    }

    private func watchIdleness(now: SuspendingClock.Instant) {
        if !connections.isEmpty { hadClient = true }
        let waitsForHost = !(outcomes.isEmpty && wakes.isEmpty) && launcher.command != nil
        guard let idleExit, connections.isEmpty, engine.isIdle, staging.isIdle, !waitsForHost else {
            return timers.cancel(.idleExit)
        }
        guard !timers.isSet(.idleExit) else { return }
        let delay = hadClient ? idleExit : max(idleExit, Self.patienceForFirstClient)
        timers.set(.idleExit, at: now + delay) { [weak self] in
            guard let self, self.connections.isEmpty else { return }
            self.leaving = .idle
        }
    }

    private func wait() {
        poller.reset()
        poller.watch(signals)
        poller.watch(wake.descriptor)
        if lockWatch.descriptor >= 0 { poller.watch(lockWatch.descriptor) }
        poller.watch(wakes.alarm.descriptor)
        poller.watch(engine.alarm.descriptor)
        connections.watch(with: &poller)
        poller.wait(
            transfers: engine.pollable, until: [timers.nextDue, engine.nextDeadline].compactMap { $0 }.min())
        for descriptor in poller.ready { serve(descriptor) }
        // Without a watch, the folder is checked at each iteration.
        if lockWatch.descriptor < 0 { lookForFolder() }
    }

    private func serve(_ descriptor: Int32) {
        if descriptor == wake.descriptor {
            wake.clear()
        } else if descriptor == lockWatch.descriptor {
            lockWatch.clear()
            lookForFolder()
        } else if descriptor == wakes.alarm.descriptor {
            wakes.alarm.clear()
        } else if descriptor == engine.alarm.descriptor {
            engine.alarm.clear()
        } else if descriptor == signals {
            readSignals()
        } else if let connection = connections.connections[descriptor] {
            connection.flush()
            if connection.wantsToRead { requests.serve(connection) }
        } else {
            connections.acceptIfListening(descriptor)
        }
    }

    private func lookForFolder() {
        if leaving == nil, folder.isGone { leaving = .withoutFolder }
    }

    private func readSignals() {
        while case let signal = bgw_read_signal(signals), signal != 0 {
            if signal == SIGCHLD {
                launcher.reap()
            } else {
                leaving = .asked(signal: signal)
            }
        }
    }

    /// Stops listening while the lock is still held: a client that is connecting sees the end of the connection before
    /// the hello, and tries again with the next agent.
    private func leave() throws {
        connections.stopListening()
        folder.removeSocket()
        engine.stopForLater()
        storage.close()
        switch leaving {
        case .damaged(let reason): throw AgentStartError.journalDamaged(reason)
        case .asked(let signal): AgentLog.write("leaving: received signal \(signal)")
        case .withoutFolder: AgentLog.write("leaving: its folder was deleted")
        case .idle, nil: AgentLog.write("leaving: nothing to do\(idleExit.map { " for \($0)" } ?? "")")
        }
    }
}

/// Returns memory to the system once after each period of activity, so that an agent that is idle for days holds
/// little.
///
/// It waits a moment first, because one transfer is often followed by another; after that it sets no further timer.
final class IdleMemory {
    private static let patience = Duration.milliseconds(500)

    private let timers: LoopTimers
    private var isGivenBack = false

    init(timers: LoopTimers) { self.timers = timers }

    /// Called at every iteration of the loop with whether the agent is idle.
    func watch(isIdle: Bool, now: LoopTimers.Instant) {
        guard isIdle else {
            isGivenBack = false
            return timers.cancel(.memoryReturn)
        }
        guard !isGivenBack, !timers.isSet(.memoryReturn) else { return }
        timers.set(.memoryReturn, at: now + Self.patience) { [weak self] in
            self?.isGivenBack = true
            bgw_give_back_memory()
        }
    }
}
