import BackgroundWork
import BackgroundWorkFiles
import BackgroundWorkSystem
import BackgroundWorkURLSession

/// The part of iOS that launches, suspends and ends an app, played by a test on Linux. The app is another process.
///
/// The app connects by ``SimulatedSystemConnection``. It is suspended by SIGSTOP, and ended by SIGKILL if it holds a
/// lock in its container then, for which iOS ends a process with 0xDEAD10CC.
///
/// ```swift
/// let system = try SimulatedSystem(permitted: ["app.refresh"], container: folder) { reason in startTheApp(reason) }
/// let window = try await system.run("app.refresh")
/// await system.expire(window)
/// #expect(await system.completion(of: window) == false)
/// #expect(try await system.suspend() == .suspended)
/// ```
public actor SimulatedSystem {
    /// Why an app is launched.
    public enum LaunchReason: Sendable, Hashable {
        case user
        /// A task of this identifier.
        case task(String)
    }

    /// A request of the app to be launched, with the members of `BGTaskRequest`.
    public struct PendingLaunch: Sendable, Hashable, Codable {
        /// That the app has registered.
        public let identifier: String
        /// A refresh; otherwise processing.
        public let isRefresh: Bool
        /// Whether it waits for a network.
        public let needsNetwork: Bool
        /// Whether it waits for external power.
        public let needsPower: Bool
        /// Not before that time; `nil`: at any time.
        public let earliest: Date?
    }

    /// Why a request is not taken, by the names of `BGTaskScheduler.Error.Code`.
    public enum Refusal: String, Sendable, Hashable, Codable {
        case unavailable, tooManyPendingTaskRequests, notPermitted
    }

    /// What came of a suspension.
    public enum Suspension: Sendable, Hashable {
        case suspended
        /// The process held locks on these files of its container, and was ended.
        case ended(locks: [String])
        /// There was no process.
        case notRunning
    }

    struct App {
        var connection: Int
        var process: Int32 = 0
        var registered: Set<String> = []
        var isStopped = false
        var activities: Set<Int64> = []
    }

    enum Window: Sendable, Hashable {
        case open
        case ended(success: Bool)
    }

    /// How many requests of a kind the system takes.
    static let mostRefreshes = 1
    static let mostProcessing = 10

    private nonisolated let executor = DispatchQueueExecutor(label: "BackgroundWork.SimulatedSystem")
    /// A queue of its own: it waits for processes.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Where it listens, for ``SimulatedSystemConnection/init(socketPath:)``.
    public nonisolated let socketPath: String
    private nonisolated let folder: String
    nonisolated let sockets: DaemonSockets<SystemRequest, SystemMessage>
    let permitted: Set<String>
    let container: String
    private let launch: @Sendable (LaunchReason) -> Void

    var app: App?
    /// Requests that have not led to a launch.
    public internal(set) var pending: [String: PendingLaunch] = [:]
    /// The answer to each request from now on, in place of the system's rules.
    var refusal: Refusal?
    /// Whether activities are granted.
    var isAwake = true
    var nextWindow: Int64 = 1
    var windows: [Int64: Window] = [:]
    private var waiters:
        [(isSatisfied: @Sendable (isolated SimulatedSystem) -> Bool, CheckedContinuation<Void, Never>)] =
            []

    /// Starts to listen, in a new temporary folder. Throws an error that says why when that is not possible.
    ///
    /// - Parameters:
    ///   - permitted: the identifiers in Info.plist.
    ///   - container: the folder in which the app must hold no lock while it is suspended.
    ///   - launch: starts the app's program. Called on the system's queue; it must not block.
    public init(
        permitted: Set<String>, container: String, launch: @escaping @Sendable (LaunchReason) -> Void
    ) throws {
        let name = String(UUID().uuidString.prefix(8))
        folder = FileManager.default.temporaryDirectory.path(percentEncoded: false) + "/bgw-system-" + name
        socketPath = folder + "/socket"
        self.permitted = permitted
        self.container = container
        self.launch = launch
        try Folder.create(folder, mode: 0o700)
        sockets = try DaemonSockets(path: socketPath)
        let relay = DaemonRelay<SimulatedSystem>()
        relay.set(self)
        try sockets.start(
            receive: { connection, request in relay.daemon?.onQueue { $0.received(request, from: connection) } },
            ended: { connection in relay.daemon?.onQueue { $0.disconnected(connection) } })
    }

    deinit {
        sockets.stop()
        if let process = app?.process, process > 0, process != getpid() { kill(process, SIGKILL) }
        try? FileManager.default.removeItem(atPath: folder)
    }

    private nonisolated func onQueue(_ body: @escaping @Sendable (isolated SimulatedSystem) -> Void) {
        executor.queue.async { self.assumeIsolated { body($0) } }
    }

    /// Returns when the closure is satisfied, which is asked after each change.
    func wait(until isSatisfied: @escaping @Sendable (isolated SimulatedSystem) -> Bool) async {
        if isSatisfied(self) { return }
        await withCheckedContinuation { waiters.append((isSatisfied, $0)) }
    }

    func changed() {
        let all = waiters
        waiters = []
        for waiter in all {
            if waiter.isSatisfied(self) { waiter.1.resume() } else { waiters.append(waiter) }
        }
    }

    // MARK: - Launching

    /// The user opens the app. Returns when it has connected.
    public func open() async {
        if app == nil { launch(.user) }
        await wait { $0.app.map { $0.process > 0 } ?? false }
        proceed()
        send(.background(false))
    }

    /// The user leaves the app. It goes on until it is suspended.
    public func close() { send(.background(true)) }

    /// Gives the app time for a task, after launching it if it does not run, or letting it go on if it is suspended.
    /// Its request is no longer pending. Returns when the app has been told.
    ///
    /// - Parameter limit: what the app may know of its time.
    public func run(_ identifier: String, limit: Duration? = nil) async -> Int64 {
        pending[identifier] = nil
        if app == nil { launch(.task(identifier)) }
        await wait { $0.app.map { $0.registered.contains(identifier) } ?? false }
        proceed()
        let window = nextWindow
        nextWindow += 1
        windows[window] = .open
        send(.run(window: window, identifier: identifier, seconds: limit.map { $0 / .seconds(1) }))
        return window
    }

    /// Tells the app that the time of a task is over.
    public func expire(_ window: Int64) { send(.expire(window: window)) }

    /// Whether the app had nothing left to do, when it has ended a task. False if it died before.
    public func completion(of window: Int64) async -> Bool {
        await wait { $0.windows[window] != .open }
        return windows[window] == .ended(success: true)
    }

    /// Refuses requests from now on; `nil`: takes them by the system's rules.
    public func refuse(_ refusal: Refusal?) { self.refusal = refusal }

    /// Returns when the app's pending requests are as the closure wants them.
    public func wait(untilPending isSatisfied: @escaping @Sendable ([String: PendingLaunch]) -> Bool) async {
        await wait { isSatisfied($0.pending) }
    }

    func send(_ message: SystemMessage) { if let app { sockets.send(message, to: app.connection) } }
}
