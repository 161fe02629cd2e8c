/// Launches the host when its work falls due: Apple's BGTaskScheduler or this package's agent.
package protocol WakeService: Sendable {
    /// Replaces what this store has asked for; an empty list takes it back. Durable with the daemon when it returns.
    func setWakes(_ wakes: WakeList) async throws
}
