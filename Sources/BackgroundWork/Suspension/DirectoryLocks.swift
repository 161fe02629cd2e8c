import BackgroundWorkFiles
import BackgroundWorkModel

/// What a scheduler locks in its directory.
actor DirectoryLocks: SuspendableLocks {
    /// The time that running work has to end, before the locks go.
    private static let longestStop = Duration.seconds(2)

    private let runner: Runner
    private let ownership: Ownership
    private let peers: Peers
    private let queues: [HoldableQueue]
    private let clock: any WorkClock
    private let notices: NoticeLog
    private var areHeld = true
    /// Whether work may start, which takes longer.
    private var isWorking = true
    private var whenWorking: [CheckedContinuation<Void, Never>] = []

    init(
        runner: Runner, ownership: Ownership, peers: Peers, queues: [HoldableQueue], clock: any WorkClock,
        notices: NoticeLog
    ) {
        self.runner = runner
        self.ownership = ownership
        self.peers = peers
        self.queues = queues
        self.clock = clock
        self.notices = notices
    }

    /// Puts running work back, and lets everything go. What does not end in time goes on after the suspension.
    ///
    /// - Returns: whether work was put back, or goes on.
    func letGo(wanted: @escaping @Sendable () -> Void) async -> Bool {
        guard areHeld else { return false }
        (areHeld, isWorking) = (false, false)
        let hadWork = runner.pause(.suspension)
        _ = await FirstAnswer<Bool>().ended(before: clock.uptime + Self.longestStop, on: clock) { [runner] in
            await runner.untilIdle()
        }
        // What holds a lock of another process's file ends with a commit.
        await ownership.stopLocking(wanted: wanted)
        for queue in queues { await queue.hold(wanted: wanted) }
        do { try await ownership.letGo() } catch {
            notices.add(
                .storageFailure,
                "The scheduler's lock could not be let go before this process is suspended, for which iOS may end it: "
                    + "\(error)")
        }
        return hadWork
    }

    /// Takes the locks again. Nothing is started before what others have committed meanwhile has been read.
    func takeUp() async {
        guard !areHeld else { return }
        areHeld = true
        do { try await ownership.takeUp() } catch {
            notices.add(
                .storageFailure,
                "The scheduler's lock could not be taken again, so another process may run its work as well: \(error)")
        }
        for queue in queues { queue.proceed() }
        Task {
            await peers.readMissed()
            goOn()
        }
    }

    private func goOn() {
        guard areHeld else { return }
        runner.resume(.suspension)
        isWorking = true
        for continuation in whenWorking { continuation.resume() }
        whenWorking = []
    }

    /// Returns when work may start.
    func untilWorking() async { if !isWorking { await withCheckedContinuation { whenWorking.append($0) } } }

    nonisolated func untilIdle() async { await runner.untilIdle() }
}
