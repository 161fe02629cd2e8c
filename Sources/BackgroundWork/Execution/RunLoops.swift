import BackgroundWorkModel
import BackgroundWorkStorage

/// The tasks that run one item after the other, in reused slots. A task ends when there is no item left, or when it
/// was cancelled to stop an item: so a cancellation never reaches the next item.
struct RunLoops: Sendable {
    struct Loop: Sendable {
        /// Distinguishes successive loops in the same slot.
        var number = 0
        var isOpen = false
        var run: Runner.Run?
        var alarms: RunAlarms?
        var task: Task<Void, Never>?
        var isCancelled = false
    }

    private var loops: [Loop] = []
    private var free: [Int] = []
    private var opened = 0
    /// How many loops are open.
    private(set) var count = 0

    subscript(index: Int) -> Loop {
        get { loops[index] }
        _modify { yield &loops[index] }
    }

    mutating func open() -> Int {
        count += 1
        opened += 1
        let loop = Loop(number: opened, isOpen: true)
        if let index = free.popLast() {
            loops[index] = loop
            return index
        }
        loops.append(loop)
        return loops.count - 1
    }

    mutating func close(_ index: Int) {
        guard loops[index].isOpen else { return }
        loops[index] = Loop()
        free.append(index)
        count -= 1
    }

    var runs: [Runner.Run] { loops.compactMap(\.run) }

    var alarms: [RunAlarms] { loops.compactMap(\.alarms) }

    func index(of key: RunKey) -> Int? { loops.firstIndex { $0.run?.work.record.runKey == key } }

    /// Asks the loop's run to stop, and the loop to end after it.
    mutating func stop(_ index: Int, because reason: StopReason) {
        loops[index].run?.services.askToStop(reason)
        loops[index].isCancelled = true
        loops[index].task?.cancel()
    }

    mutating func stopAll(because reason: StopReason) {
        for index in loops.indices where loops[index].run != nil { stop(index, because: reason) }
    }
}

/// The time limits of a run: its timeout, on a monotonic clock, and its deadline, on the wall clock.
struct RunAlarms: Sendable {
    private let tasks: [Task<Void, Never>]

    /// - Parameter ring: called once for each limit that is reached.
    init(for record: WorkRecord, clock: any WorkClock, ring: @escaping @Sendable (StopReason) -> Void) {
        var tasks: [Task<Void, Never>] = []
        if let timeout = record.options.timeoutMs {
            let end = clock.uptime + .milliseconds(timeout)
            tasks.append(
                Task {
                    do { try await clock.sleep(untilUptime: end) } catch { return }
                    ring(.timeout)
                })
        }
        if let deadline = record.options.deadline {
            tasks.append(
                Task {
                    // The wall clock may be set meanwhile, so it is read again after each part of the wait.
                    while case let left = deadline.milliseconds - WallTime(clock.now).milliseconds, left > 0 {
                        do { try await clock.sleep(for: .milliseconds(min(left, 60_000))) } catch { return }
                    }
                    ring(.deadline)
                })
        }
        self.tasks = tasks
    }

    func cancel() { for task in tasks { task.cancel() } }
}

/// The cells in which starts are recorded; the lowest free one is used first.
struct RunCells: Sendable {
    private var freed: [Int] = []
    private var next = 0

    mutating func take() -> Int {
        if let cell = freed.popLast() { return cell }
        defer { next += 1 }
        return next
    }

    mutating func free(_ cell: Int) { freed.append(cell) }
}
