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
        var satisfied: Constraints
        var nextID = 0
        var listeners: [Int: (interest: Constraints, continuation: AsyncStream<DeviceState>.Continuation)] = [:]
    }

    private let current: Mutex<State>

    /// Creates a device that meets these conditions.
    public init(satisfied: Constraints = .all) { current = Mutex(State(satisfied: satisfied)) }

    /// The conditions that are met.
    public var satisfied: Constraints { current.withLock { $0.satisfied } }

    /// Sets the conditions that are met from now on; all others are not met.
    public func set(_ satisfied: Constraints) {
        let listeners = current.withLock { state in
            let changed = state.satisfied.symmetricDifference(satisfied)
            state.satisfied = satisfied
            return state.listeners.values.filter { !$0.interest.isDisjoint(with: changed) }.map(\.continuation)
        }
        for listener in listeners { listener.yield(DeviceState(satisfied: satisfied)) }
    }

    /// The state now.
    public func state() async -> DeviceState { DeviceState(satisfied: satisfied) }

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
