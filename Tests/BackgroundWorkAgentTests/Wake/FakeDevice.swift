import BackgroundWorkModel
import Synchronization

@testable import BackgroundWorkAgent

/// A device whose watches a test sees and answers.
final class FakeDevice: DeviceWatching {
    private struct Watch {
        var interest: Constraints
        var onChange: @Sendable (DeviceState) -> Void
        var hasEnded = false
    }

    private let watches = Mutex<[Watch]>([])

    func watch(
        _ interest: Constraints, onChange: @escaping @Sendable (DeviceState) -> Void
    ) -> @Sendable () -> Void {
        let index = watches.withLock { watches in
            watches.append(Watch(interest: interest, onChange: onChange))
            return watches.count - 1
        }
        return { self.watches.withLock { $0[index].hasEnded = true } }
    }

    /// What the watches that have not ended are about.
    var watched: [Constraints] { watches.withLock { $0.filter { !$0.hasEnded }.map(\.interest) } }

    /// Notifies every watch, also those that have ended.
    func tell(_ satisfied: Constraints) { tell(DeviceState(satisfied: satisfied)) }

    func tell(_ state: DeviceState) {
        for watch in watches.withLock({ $0 }) { watch.onChange(state) }
    }
}
