import BackgroundWorkSystem

/// Suspending and ending the app's process.
extension SimulatedSystem {
    /// How long the app has to end its activities.
    private static let patience = Duration.seconds(5)

    /// Suspends the app: tells its activities that they expire, waits until they have ended, for 5 seconds at most, and
    /// stops the process. It is ended if it holds a lock in its container then.
    ///
    /// Throws an error when the system's list of locks cannot be read.
    public func suspend() async throws -> Suspension {
        guard let process = app?.process, app?.isStopped == false else { return .notRunning }
        isAwake = false
        for activity in app?.activities ?? [] { send(.activityExpired(activity)) }
        let alarm = Task {
            try? await Task.sleep(for: Self.patience)
            if !Task.isCancelled { giveUp() }
        }
        await wait { $0.app.map { $0.process != process || $0.activities.isEmpty } ?? true }
        alarm.cancel()
        guard app?.process == process else { return .notRunning }
        kill(process, SIGSTOP)
        app?.isStopped = true
        while !HeldLocks.isStopped(process), kill(process, 0) == 0 { try await Task.sleep(for: .milliseconds(1)) }
        let locks = try HeldLocks.files(of: process, in: container)
        if locks.isEmpty { return .suspended }
        end()
        return .ended(locks: locks)
    }

    /// What has not ended by now is not waited for.
    private func giveUp() {
        app?.activities = []
        changed()
    }

    /// Lets a suspended app go on.
    public func proceed() {
        isAwake = true
        guard let app, app.isStopped else { return }
        self.app?.isStopped = false
        kill(app.process, SIGCONT)
    }

    /// Ends the app's process at once, as the system does when it needs memory. The launcher reaps it.
    public func end() {
        guard let app else { return }
        kill(app.process, SIGKILL)
        disconnected(app.connection)
    }
}
