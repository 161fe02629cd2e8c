import BackgroundWorkModel

/// Where the agent learns of the device's conditions.
package protocol DeviceWatching: Sendable {
    /// Tells the state once, and then at each change of a condition in `interest`, on whatever thread.
    /// - Returns: ends the watch when called. What is told after that does not count.
    func watch(
        _ interest: Constraints, onChange: @escaping @Sendable (DeviceState) -> Void
    ) -> @Sendable () -> Void
}
