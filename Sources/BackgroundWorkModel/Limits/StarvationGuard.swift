/// Keeps urgent work from holding back the rest for ever: of eight items that are claimed, one is the longest due,
/// whatever its priority.
package struct StarvationGuard: Sendable, Hashable {
    /// One in so many.
    package static let share = 8
    private var claimedSince = 0

    package init() {}

    /// How many of the next `limit` items are chosen by age alone.
    package func reserved(of limit: Int) -> Int { (claimedSince + limit) / Self.share }

    /// So many were claimed.
    package mutating func claimed(_ count: Int) { claimedSince = (claimedSince + count) % Self.share }
}
