/// One planned run of a request.
package struct Occurrence: Sendable, Hashable {
    /// The time it stands for; the next one counts from here.
    package var planned: WallTime
    /// When it may begin.
    package var due: WallTime
    /// When it is too late to begin.
    package var latest: WallTime?

    package init(planned: WallTime, due: WallTime, latest: WallTime? = nil) {
        self.planned = planned
        self.due = due
        self.latest = latest
    }

    /// One that only an event from outside makes due.
    package static let untilTriggered = Occurrence(planned: .distantFuture, due: .distantFuture)
}
