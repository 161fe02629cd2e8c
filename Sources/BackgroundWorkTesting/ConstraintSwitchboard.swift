import BackgroundWork
import Synchronization

/// A device whose conditions a test sets.
///
/// ```swift
/// let device = ConstraintSwitchboard(satisfied: [.charging])
/// configuration.deviceState = device
/// device.set([.charging, .network])  // work that needs a network may run now
/// ```
///
/// May be used from any isolation.
public final class ConstraintSwitchboard: DeviceStateReader {
    private struct State {
        var device: DeviceState
        var nextID = 0
        var listeners: [Int: (interest: Constraints, continuation: AsyncStream<DeviceState>.Continuation)] = [:]
    }

    private let current: Mutex<State>

    /// Creates a device that meets these conditions.
    public init(satisfied: Constraints = .all) { current = Mutex(State(device: DeviceState(satisfied: satisfied))) }

    /// The conditions that are met.
    public var satisfied: Constraints { current.withLock { $0.device.satisfied } }

    /// Sets the conditions that are met from now on, and those that cannot be read; all others are not met.
    public func set(_ satisfied: Constraints, unreadable: [ConditionFault] = []) {
        let device = DeviceState(satisfied: satisfied, unreadable: unreadable)
        let listeners = current.withLock { state in
            let old = state.device
            state.device = device
            return state.listeners.values
                .filter { old.restricted(to: $0.interest) != device.restricted(to: $0.interest) }.map(\.continuation)
        }
        for listener in listeners { listener.yield(device) }
    }

    /// The state now.
    public func state() async -> DeviceState { current.withLock { $0.device } }

    /// The state at each change of a condition in `interest`.
    public func changes(of interest: Constraints) -> AsyncStream<DeviceState> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: DeviceState.self, bufferingPolicy: .bufferingNewest(1))
        let id = current.withLock { state in
            state.nextID += 1
            state.listeners[state.nextID] = (interest, continuation)
            return state.nextID
        }
        continuation.onTermination = { [weak self] _ in
            self?.current.withLock { _ = $0.listeners.removeValue(forKey: id) }
        }
        return stream
    }
}
