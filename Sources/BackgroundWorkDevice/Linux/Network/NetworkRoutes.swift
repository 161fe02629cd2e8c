#if os(Linux)
/// The interfaces and default routes of a machine at one moment, and what follows from them.
struct NetworkRoutes: Equatable {
    var links: [NetworkLink]
    var defaults: [DefaultRoute]

    /// A default route leads through an interface that is up and has a carrier. Loopback leads nowhere. A route that
    /// names no interface cannot be held against one, and counts.
    var leadOut: Bool {
        let ways = Set(links.filter { $0.isRunning && !$0.isLoopback }.map(\.index))
        return defaults.contains { $0.interfaces.contains { $0.map(ways.contains) ?? true } }
    }
}
#endif
