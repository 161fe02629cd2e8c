import BackgroundWorkModel
import BackgroundWorkTransfers
import Synchronization

@testable import BackgroundWork

/// A daemon that only records when to launch the host.
final class WakeRecorder: WakeService {
    struct Unreachable: Error {}

    private struct Waiting {
        var isSatisfied: @Sendable ([[WakeRequest]]) -> Bool
        var signal: WakeSignal
    }

    private struct State {
        var told: [[WakeRequest]] = []
        var attempts = 0
        var failuresLeft: Int
        var waiting: [Waiting] = []
    }

    private let state: Mutex<State>

    /// - Parameter failures: how many of the first calls fail.
    init(failures: Int = 0) { state = Mutex(State(failuresLeft: failures)) }

    /// All times that it received, in order.
    var told: [[WakeRequest]] { state.withLock { $0.told } }

    /// How often it was called, also in vain.
    var attempts: Int { state.withLock { $0.attempts } }

    func setWakes(_ wakes: WakeList) async throws {
        try state.withLock { state in
            state.attempts += 1
            if state.failuresLeft > 0 {
                state.failuresLeft -= 1
                throw Unreachable()
            }
            state.told.append(wakes.times)
            for waiting in state.waiting where waiting.isSatisfied(state.told) { waiting.signal.raise() }
        }
    }

    /// Returns when the received times are as expected, or when the test's time is over.
    func wait(until isSatisfied: @escaping @Sendable ([[WakeRequest]]) -> Bool) async {
        let signal = WakeSignal()
        state.withLock { state in
            state.waiting.append(Waiting(isSatisfied: isSatisfied, signal: signal))
            if isSatisfied(state.told) { signal.raise() }
        }
        await signal.wait()
    }
}
