import BackgroundWork
import BackgroundWorkFiles
import BackgroundWorkURLSession
import Synchronization

/// The system's daemon for background URL sessions, nsurlsessiond, played by the process of a test.
///
/// Apps connect to it by ``SimulatedSessions``, from this process or from another one, which the test may kill: the
/// tasks go on meanwhile, with real requests to a real server. When all that runs in a session has ended, or a server
/// asks for a password, and no process has the session, the daemon calls `launch`; the process that is launched
/// creates the session again and gets the events that wait.
///
/// ```swift
/// let daemon = try SimulatedURLSessionDaemon { identifier in startTheApp(for: identifier) }
/// let sessions = try SimulatedSessions(daemon)
/// configuration.useSimulatedSessions(sessions)
/// ```
///
/// What it guarantees: a task's number is unique among those of its session that have not completed. The events of a
/// session are delivered one at a time, and those of a task in order. A downloaded file is there until the delegate has
/// returned. Requests that time out are made again, and redirects followed, without asking the app. An upload begins
/// anew after a pause, a download goes on from where it was if the server can do that.
public actor SimulatedURLSessionDaemon {
    nonisolated let executor = DispatchQueueExecutor(label: "BackgroundWork.SimulatedDaemon")
    /// A queue of its own: it writes files.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Where it listens, for ``SimulatedSessions/init(socketPath:)``.
    public nonisolated let socketPath: String
    nonisolated let folder: String
    nonisolated let sockets: DaemonSockets<AppMessage, DaemonMessage>
    let clock: any WorkClock
    let launch: @Sendable (_ session: String) -> Void
    /// Foundation's session.
    /// `nil` when the daemon was stopped: a session that was invalidated may not be asked for tasks.
    private nonisolated let loader = Mutex<URLSession?>(nil)

    var behavior = Behavior()
    var sessions: [String: DaemonSession] = [:]
    var loads: [Int: (task: URLSessionDataTask, session: String, number: Int)] = [:]
    /// Servers' questions that an app has not answered, by event.
    var challenges: [Int64: @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void] = [:]
    var nextEvent: Int64 = 1
    var nextFile = 1
    /// Whether the user has ended the app: it is not launched until it was started again.
    var isForceQuit = false
    var history: [Record] = []
    private var isStopped: Bool { loader.withLock { $0 == nil } }
    var waiters: [(isSatisfied: @Sendable ([Record]) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []

    /// Starts to listen, in a new temporary folder.
    ///
    /// Throws an error that says why when the folder or the socket cannot be made.
    ///
    /// - Parameters:
    ///   - clock: for `earliestBeginDate`; give it the scheduler's if that is not the system's.
    ///   - launch: called when a session's events wait and no process has the session, on the daemon's queue; it must
    ///     not block. A test starts its program there, or creates the next `SimulatedSessions`.
    public init(
        clock: any WorkClock = SystemWorkClock(), launch: @escaping @Sendable (_ session: String) -> Void = { _ in }
    ) throws {
        let name = String(UUID().uuidString.prefix(8))
        folder = FileManager.default.temporaryDirectory.path(percentEncoded: false) + "/bgw-daemon-" + name
        socketPath = folder + "/socket"
        self.clock = clock
        self.launch = launch
        try Folder.create(folder, mode: 0o700)
        sockets = try DaemonSockets(path: socketPath)
        let relay = DaemonRelay<SimulatedURLSessionDaemon>()
        let session = SessionLoader { load, event in relay.daemon?.onQueue { $0.loaded(load, event) } }.makeSession()
        loader.withLock { $0 = session }
        relay.set(self)
        try sockets.start(
            receive: { connection, message in relay.daemon?.onQueue { $0.received(message, from: connection) } },
            ended: { connection in relay.daemon?.onQueue { $0.disconnected(connection) } })
    }

    deinit { release() }

    /// Ends the connections and the transfers, and removes the folder. The same happens when the daemon is no longer
    /// referred to.
    public nonisolated func stop() {
        release()
        onQueue { daemon in
            for waiter in daemon.waiters { waiter.continuation.resume() }
            daemon.waiters = []
        }
    }

    private nonisolated func release() {
        sockets.stop()
        loader.withLock { loader in
            loader?.invalidateAndCancel()
            loader = nil
        }
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// A request's task; `nil` when the daemon was stopped.
    nonisolated func loading(_ make: (URLSession) -> URLSessionDataTask) -> URLSessionDataTask? {
        loader.withLock { $0.map(make) }
    }

    /// Runs `body` after what was passed before.
    nonisolated func onQueue(_ body: @escaping @Sendable (isolated SimulatedURLSessionDaemon) -> Void) {
        executor.queue.async { self.assumeIsolated { body($0) } }
    }

    // MARK: - Looking

    /// Everything so far, in order.
    public var records: [Record] { history }

    /// The tasks of a session that have not completed, by number.
    public func tasks(ofSession session: String) -> [Task] {
        (sessions[session]?.tasks.values.map(Task.init) ?? []).sorted { $0.number < $1.number }
    }

    /// Returns as soon as the closure accepts the records.
    public func wait(until isSatisfied: @escaping @Sendable ([Record]) -> Bool) async {
        if isStopped || isSatisfied(history) { return }
        await withCheckedContinuation { waiters.append((isSatisfied, $0)) }
    }

    /// Changes how apps are treated from now on.
    public func setBehavior(_ change: @Sendable (inout Behavior) -> Void) {
        change(&behavior)
        for (session, state) in sessions {
            for number in state.tasks.keys {
                if behavior.holdsTransfers { halt(number, in: session) } else { startIfDue(number, in: session) }
            }
        }
    }

    func record(_ event: Event) {
        history.append(Record(date: clock.now, event: event))
        let satisfied = waiters.filter { $0.isSatisfied(history) }
        waiters.removeAll { $0.isSatisfied(history) }
        for waiter in satisfied { waiter.continuation.resume() }
    }
}
