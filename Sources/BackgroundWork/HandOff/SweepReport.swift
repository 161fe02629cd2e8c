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
        var parts = ["\(entriesFound) entries found, \(dropped.count) dropped, \(entriesStillKnown) old but alive"]
        if let daemonError { parts.append("the daemon could not be asked: \(daemonError)") }
        parts += filesSetAside
        return parts.joined(separator: "; ")
    }
}
