import BackgroundWorkModel

/// Launches the host when its work falls due: Apple's BGTaskScheduler or this package's agent.
package protocol WakeService: Sendable {
    /// Replaces what this store has asked for; an empty list removes all. Durable in the daemon when it returns.
    func setWakes(_ wakes: WakeList) async throws
}

/// All reasons for which a store requests a launch.
package struct WakeList: Sendable, Hashable, Codable {
    /// At most a few: one for each set of needs, with the earliest instant of the work that has them.
    package var times: [WakeRequest]
    package var files: [FileWakeRequest]

    package init(times: [WakeRequest] = [], files: [FileWakeRequest] = []) {
        self.times = times
        self.files = files
    }

    package var isEmpty: Bool { times.isEmpty && files.isEmpty }
}

extension WakeList: ExpressibleByArrayLiteral {
    package init(arrayLiteral times: WakeRequest...) { self.init(times: times) }
}

/// A request to be launched when work becomes due and no process is running.
package struct WakeRequest: Sendable, Hashable, Codable {
    /// Not before this instant on the wall clock.
    package var earliest: WallTime
    /// Conditions of the device that must hold as well.
    package var needs: Constraints

    package init(earliest: WallTime, needs: Constraints = []) {
        self.earliest = earliest
        self.needs = needs
    }
}

/// A request to be launched when a file has changed and no process is running that watches it.
package struct FileWakeRequest: Sendable, Hashable, Codable {
    /// Absolute.
    package var path: String
    /// As the host saw it last (`FileStamp.stored(path:)`). Another one now is a change, whenever it was made.
    package var stamp: String

    package init(path: String, stamp: String) {
        self.path = path
        self.stamp = stamp
    }
}
