import BackgroundWorkDevice
import BackgroundWorkModel

/// The agent's source of the device's conditions.
package protocol DeviceWatching: Sendable {
    /// Reports the state once, and then at each change of a condition in `interest`, on any thread.
    /// - Returns: ends the watch when called. Later reports are ignored.
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
        let reader = PlatformDeviceState(directory: directory)
        let task = Task {
            // Subscribed before the first reading, so that no change is missed.
            let changes = reader.changes(of: interest)
            onChange(await reader.state())
            for await state in changes { onChange(state) }
        }
        return { task.cancel() }
    }
}
