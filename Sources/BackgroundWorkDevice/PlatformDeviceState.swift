import BackgroundWorkFiles
import BackgroundWorkModel
import Dispatch
import Synchronization

/// The conditions of this machine, combined from their sources: the folders `Linux` and `Apple` have those of a platform.
///
/// Everything happens on one queue of its own, so nothing here blocks Swift's cooperative pool. A source watches only
/// while a listener is interested in its conditions.
package actor PlatformDeviceState: DeviceStateReader {
    nonisolated let executor = DispatchQueueExecutor(label: "bgwork.device")
    private let sources: [any ConditionSource]
    /// The indexes of the watching sources, with the last result of each.
    private var watching: [Int: DeviceState] = [:]
    private var listeners: [UInt64: DeviceListener] = [:]
    private let keys = Atomic<UInt64>(0)

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameter directory: the folder whose volume `storageNotLow` is about.
    package init(directory: String) {
        self.init(sources: Self.sources(directory: directory))
    }

    /// One that says of the network alone; of the other conditions it says that they are not met.
    package static func network() -> PlatformDeviceState { PlatformDeviceState(sources: networkSources()) }

    init(sources: sending [any ConditionSource]) { self.sources = sources }

    /// The state now. Blocks the calling thread for a moment, up to some seconds when a service does not answer; not to
    /// be called from within a listener's `onChange`.
    package nonisolated func read() -> DeviceState { executor.queue.sync { assumeIsolated { $0.readAll() } } }

    package func state() -> DeviceState { readAll() }

    /// Calls `onChange` with the state at the start of the watch, then whenever a condition of `interest` changes, on
    /// the reader's own queue, until the watch is canceled or deinitialized. Returns at once. A reported state is
    /// complete, regardless of `interest`.
    package nonisolated func watch(
        _ interest: Constraints, onChange: @escaping @Sendable (DeviceState) -> Void
    ) -> DeviceWatch {
        let key = keys.wrappingAdd(1, ordering: .relaxed).newValue
        let listener = DeviceListener(interest: Self.completed(interest), onChange: onChange)
        executor.queue.async { self.assumeIsolated { $0.add(listener, as: key) } }
        return DeviceWatch { self.executor.queue.async { self.assumeIsolated { $0.removeListener(key) } } }
    }

    /// As ``watch(_:onChange:)``: starts with the state at the start of the watch.
    package nonisolated func changes(of interest: Constraints) -> AsyncStream<DeviceState> {
        let (stream, continuation) = AsyncStream.makeStream(of: DeviceState.self, bufferingPolicy: .bufferingNewest(1))
        let watch = watch(interest) { continuation.yield($0) }
        continuation.onTermination = { _ in watch.cancel() }
        return stream
    }

    private func add(_ listener: DeviceListener, as key: UInt64) {
        listeners[key] = listener
        watchWhatIsOfInterest()
        // After the sources have started to watch, so that no change is missed between this check and the watch.
        readAll()
    }

    private func removeListener(_ key: UInt64) {
        listeners[key] = nil
        watchWhatIsOfInterest()
    }

    private func watchWhatIsOfInterest() {
        let interest = listeners.values.reduce(into: Constraints()) { $0.formUnion($1.interest) }
        for (index, source) in sources.enumerated() {
            let isWanted = !source.conditions.isDisjoint(with: interest)
            if isWanted, watching[index] == nil {
                watching[index] = DeviceState(satisfied: [])
                source.beginWatching(on: executor.queue) { [weak self] wake in
                    self?.assumeIsolated { $0.woken(index, by: wake) }
                }
            } else if !isWanted, watching.removeValue(forKey: index) != nil {
                source.endWatching()
            }
        }
    }

    /// Checks the one source, and all of them only if its result has changed.
    private func woken(_ index: Int, by wake: Wake) {
        guard let last = watching[index] else { return }
        if case .events = wake, !sources[index].takeEvents() { return }
        if sources[index].read() != last { readAll() }
    }

    /// Reads all sources and notifies the listeners of the result, even if the reading was requested for another
    /// reason: the source may have consumed the event with it.
    @discardableResult
    private func readAll() -> DeviceState {
        var state = DeviceState(satisfied: [])
        for (index, source) in sources.enumerated() {
            let said = source.read()
            state.formUnion(said)
            if watching[index] != nil { watching[index] = said }
        }
        // Without a network there is no unmetered one, whether or not that can be read.
        if !state.unmet(.network).isEmpty { state = state.restricted(to: .all.subtracting(Self.unmetered)) }
        for key in listeners.keys { listeners[key]?.receive(state) }
        return state
    }

    /// What `unmeteredNetwork` has beyond `network`.
    static let unmetered = Constraints.unmeteredNetwork.subtracting(.network)

    /// An interest in an unmetered network includes one in the network.
    private static func completed(_ interest: Constraints) -> Constraints {
        interest.isDisjoint(with: .unmeteredNetwork) ? interest : interest.union(.network)
    }
}

/// A subscriber to changes.
struct DeviceListener: Sendable {
    let interest: Constraints
    let onChange: @Sendable (DeviceState) -> Void
    private var lastReported: DeviceState?

    init(interest: Constraints, onChange: @escaping @Sendable (DeviceState) -> Void) {
        self.interest = interest
        self.onChange = onChange
    }

    /// Reports the state, unless nothing is new about the conditions of interest since the last report.
    mutating func receive(_ state: DeviceState) {
        let reported = state.restricted(to: interest)
        guard reported != lastReported else { return }
        lastReported = reported
        onChange(state)
    }
}

/// Keeps a watch on the device's conditions active, until it is canceled or deinitialized.
package final class DeviceWatch: Sendable {
    private let isOver = Atomic(false)
    private let end: @Sendable () -> Void

    init(end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { cancel() }

    /// Ends the watch. A change that is being reported at this moment may still arrive.
    package func cancel() {
        if !isOver.exchange(true, ordering: .acquiringAndReleasing) { end() }
    }
}
