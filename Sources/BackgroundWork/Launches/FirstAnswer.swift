import BackgroundWorkModel
import Synchronization

/// The first of several answers, for the one task that waits for it.
final class FirstAnswer: Sendable {
    private struct State {
        var answer: Bool?
        var waiting: CheckedContinuation<Bool, Never>?
    }

    private let state = Mutex(State())

    func give(_ answer: Bool) {
        let waiting = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard state.answer == nil else { return nil }
            state.answer = answer
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(returning: answer)
    }

    func wait() async -> Bool {
        await withCheckedContinuation { continuation in
            let answer = state.withLock { state in
                if state.answer == nil { state.waiting = continuation }
                return state.answer
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    /// True if the body ends first: before an instant of the clock's uptime, and before another answer. Otherwise it
    /// goes on by itself.
    func ended(
        before end: Duration?, on clock: any WorkClock, _ body: @escaping @Sendable () async -> Void
    ) async -> Bool {
        Task {
            await body()
            give(true)
        }
        let alarm = end.map { end in
            Task {
                do { try await clock.sleep(untilUptime: end) } catch { return }
                give(false)
            }
        }
        defer { alarm?.cancel() }
        return await wait()
    }
}
