import BackgroundWorkSystem
import Foundation

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

/// The locks for which iOS ends a process that it suspends, as far as Linux shows them.
enum HeldLocks {
    /// The files in a folder that a process has locked, by flock(2), or by fcntl(2) for writing. The locks for reading
    /// are those of open SQLite databases, which iOS permits.
    ///
    /// Throws an error when the system's list cannot be read.
    static func files(of process: Int32, in folder: String) throws -> [String] {
        let list = try FileHandle(forReadingFrom: URL(filePath: "/proc/locks"))
        // Its pieces are shorter than a page, so one read may have a part of it.
        var text = Data()
        while let piece = try list.read(upToCount: 65_536), !piece.isEmpty { text += piece }
        var inodes: Set<UInt64> = []
        for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count >= 6, words[1] != "->", Int32(words[4]) == process,
                words[1] == "FLOCK" || words[3] == "WRITE",
                let inode = words[5].split(separator: ":").last.flatMap({ UInt64($0) })
            else { continue }
            inodes.insert(inode)
        }
        if inodes.isEmpty { return [] }
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
        return names.filter { name in
            var status = stat()
            return lstat(folder + "/" + name, &status) == 0 && inodes.contains(UInt64(status.st_ino))
        }.sorted()
    }

    /// Whether a process is stopped, as by SIGSTOP.
    static func isStopped(_ process: Int32) -> Bool {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let state = text.split(separator: ")").last?.split(separator: " ").first
        else { return false }
        return state == "T"
    }
}
