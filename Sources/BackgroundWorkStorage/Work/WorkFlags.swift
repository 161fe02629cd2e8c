/// Marks of a work item that its own row carries, so that nobody has to look elsewhere for them.
package struct WorkFlags: OptionSet, Sendable, Hashable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// The next step may begin once this is handed off.
    package static let releasesAtHandOff = WorkFlags(rawValue: 1)
    /// It was handed off, and the next step may have begun: a failure does not touch it any more.
    package static let hasReleased = WorkFlags(rawValue: 2)
    /// Other work waits for the end of this id.
    package static let isFollowed = WorkFlags(rawValue: 4)
    /// Its transfer is held, or will be from its hand-off on, in whatever generation.
    package static let holdsTransfer = WorkFlags(rawValue: 8)
}
