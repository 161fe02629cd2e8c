/// Prevents work of a high priority from delaying the rest forever: of eight claimed items, one is the longest due,
/// whatever its priority.
package struct StarvationGuard: Sendable, Hashable {
    /// One of this many.
    package static let share = 8
    private var claimedSince = 0

    package init() {}

    /// How many of the next `limit` items are chosen by age alone.
    package func reserved(of limit: Int) -> Int { (claimedSince + limit) / Self.share }

    /// Counts claimed items.
    package mutating func claimed(_ count: Int) { claimedSince = (claimedSince + count) % Self.share }
}
