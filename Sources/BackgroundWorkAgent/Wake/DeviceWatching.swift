import BackgroundWorkDevice
import BackgroundWorkModel

/// Where the agent learns of the device's conditions.
package protocol DeviceWatching: Sendable {
    /// Tells the state once, and then at each change of a condition in `interest`, on whatever thread.
    /// - Returns: ends the watch when called. What is told after that does not count.
    func watch(
        _ interest: Constraints, onChange: @escaping @Sendable (DeviceState) -> Void
    ) -> @Sendable () -> Void
}

/// The device that the agent runs on.
struct PlatformDeviceWatching: DeviceWatching {
    /// The folder whose volume `storageNotLow` is about.
    var directory: String

    func watch(
        _ interest: Constraints, onChange: @escaping @Sendable (DeviceState) -> Void
    ) -> @Sendable () -> Void {
        let reader = PlatformDeviceState.reader(directory: directory)
        let task = Task {
            // Subscribed before the first look, so that no change falls in between.
            let changes = reader.changes(of: interest)
            onChange(await reader.state())
            for await state in changes { onChange(state) }
        }
        return { task.cancel() }
    }
}
