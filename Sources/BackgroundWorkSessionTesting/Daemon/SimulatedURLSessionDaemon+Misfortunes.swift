import BackgroundWorkURLSession

/// What happens to apps' transfers on Apple's systems.
extension SimulatedURLSessionDaemon {
    /// Forgets a task: it is no longer listed, and no event of it comes. Tasks are lost when a device is restored from
    /// a backup, and when the system's daemon is ended together with its records.
    public func lose(task number: Int, ofSession session: String) {
        halt(number, in: session)
        guard let task = sessions[session]?.tasks.removeValue(forKey: number) else { return }
        if let file = task.file { try? FileManager.default.removeItem(atPath: file) }
        sessions[session]?.waiting.removeAll { $0.task?.number == number }
    }

    /// Gives the session's next tasks low numbers again. The system promises unique numbers only for the tasks that a
    /// session has at one time.
    public func restartTaskNumbers(ofSession session: String) { sessions[session]?.nextTask = 1 }

    /// What the system does when the user swipes the app away in the app switcher: all of its tasks are cancelled, with
    /// `NSURLErrorCancelled` and `NSURLErrorCancelledReasonUserForceQuitApplication`, and the app is not launched for
    /// that; it learns of it when the user starts it. Connections of this process's ``SimulatedSessions`` end; another
    /// process is the test's to kill.
    public func forceQuit() {
        record(.forceQuit)
        isForceQuit = true
        for (session, var state) in sessions {
            if let connection = state.connection {
                sockets.close(connection)
                detach(&state)
                sessions[session] = state
                record(.detached(session: session))
            }
            for number in state.tasks.keys.sorted() {
                halt(number, in: session)
                var error = ErrorRecord(code: NSURLErrorCancelled, text: "cancelled")
                error.cancelledReason = NSURLErrorCancelledReasonUserForceQuitApplication
                error.resumeData = resumeData(of: number, in: session)
                complete(number, in: session, error)
            }
        }
    }

    /// Gives the app's container another path, as an update or a restored backup does: the folder is renamed, and the
    /// files in it that tasks send are found under their new paths. What else names the old path is the app's to mend.
    ///
    /// Throws Foundation's error when the folder cannot be moved. No app should be running.
    public func moveContainer(from old: String, to new: String) throws {
        try FileManager.default.moveItem(atPath: old, toPath: new)
        for (session, state) in sessions {
            for (number, task) in state.tasks {
                guard let source = task.source, source.hasPrefix(old + "/") else { continue }
                sessions[session]?.tasks[number]?.source = new + source.dropFirst(old.count)
            }
        }
    }
}
