/// Launches the host when its work falls due: Apple's BGTaskScheduler or this package's agent.
package protocol WakeService: Sendable {
    /// Replaces this store's wake requests; an empty list takes them back. Durable with the daemon when it returns.
    ///
    /// At most a few requests: one for each set of needs, with the earliest instant of the work that has them.
    func setWakes(_ requests: [WakeRequest]) async throws
}
