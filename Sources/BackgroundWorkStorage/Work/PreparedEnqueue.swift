import BackgroundWorkModel

/// One request with all that its enqueueing needs to know, made ready outside of the writer's queue.
package struct PreparedEnqueue: Sendable {
    package let item: NewItem
    let policy: ExistingWorkPolicy
    let now: WallTime

    package init(_ item: NewItem, _ policy: ExistingWorkPolicy, now: WallTime) {
        self.item = item
        self.policy = policy
        self.now = now
    }

    /// Whether nothing has to be looked at before it is stored, but whether its id is there.
    var isPlain: Bool { item.namesMemberOf == nil && !item.isTooLate(at: now) }
}
