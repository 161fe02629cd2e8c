import BackgroundWorkModel

/// What `sweepStaleStateOnLaunch()` found and did.
public struct SweepReport: Sendable, Hashable, CustomStringConvertible {
    /// An entry that was dropped from the state file.
    public struct DroppedEntry: Sendable, Hashable {
        /// The session that the transfer belonged to.
        public var sessionIdentifier: String
        /// Its number in that session.
        public var taskIdentifier: Int64
        /// Where the file was to go.
        public var savePath: String
        /// The work item that was failed for it, if there was one.
        public var workID: String?
        /// Which of that item's hand-offs it was; an item that has gone on to a later one is not failed.
        public var generation: Int64?

        /// Its key, or its session and number if it has none, and where the file was to go.
        fileprivate var words: String {
            let name = workID.map { "\(TransferKey(workID: $0, generation: generation ?? 0))" }
            return "\(name ?? "\(sessionIdentifier)/\(taskIdentifier)") to \(savePath)"
        }
    }

    /// How many entries the state file held.
    public var entriesFound = 0
    /// Entries past the age limit that the daemon still knows; they stay.
    public var entriesStillKnown = 0
    /// Entries past the age limit that the daemon does not know; their work has failed, with an event.
    public var dropped: [DroppedEntry] = []
    /// Why the daemon could not be asked. Nothing was dropped then: an unreachable daemon is no answer.
    public var daemonError: String?
    /// Files that could not be read since this scheduler was created, and under which name they were kept.
    public var filesSetAside: [String] = []

    /// One line for a log.
    public var description: String {
        let found = "\(Listing.count(entriesFound, "entry", "entries")) found"
        var parts: [String] = []
        if let daemonError {
            parts.append("\(found), none dropped, because the daemon could not be asked: \(daemonError)")
        } else {
            parts.append("\(found), \(dropped.count) dropped, \(entriesStillKnown) old but alive")
        }
        if !dropped.isEmpty { parts.append("dropped: \(Listing.few(dropped.map(\.words)))") }
        parts += filesSetAside
        return parts.joined(separator: "; ")
    }
}
