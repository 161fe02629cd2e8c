/// Marks of a work item: those of its request, and those that it has got since.
package struct WorkFlags: OptionSet, Sendable, Hashable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    // MARK: Of the request

    /// The next step may begin once this is handed off.
    package static let releasesAtHandOff = WorkFlags(rawValue: 1)
    /// It must not be started again after its process died while it ran.
    package static let runsOnce = WorkFlags(rawValue: 16)
    /// The row is the name of a chain, and no item. The view `items` knows the number.
    package static let isChain = WorkFlags(rawValue: 32)
    /// Its transfers may dial any address, as the scheduler that accepted it allows; without it public ones only.
    package static let dialsAnyAddress = WorkFlags(rawValue: 128)
    /// What the row of the request holds.
    static let ofRequest: WorkFlags = [.releasesAtHandOff, .runsOnce, .isChain, .dialsAnyAddress]

    // MARK: Carried

    /// It was handed off, and the next step may have begun: a failure does not touch it any more.
    package static let hasReleased = WorkFlags(rawValue: 2)
    /// Other work waits for the end of this id.
    package static let isFollowed = WorkFlags(rawValue: 4)
    /// Its transfer is held, or will be from its hand-off on, in whatever generation.
    package static let holdsTransfer = WorkFlags(rawValue: 8)
    /// It had ended and waits once more for the step before. The view `items` knows the number.
    package static let waitsAgain = WorkFlags(rawValue: 64)
}
