import BackgroundWorkFiles
import Synchronization
import TestSupport

@testable import BackgroundWork

/// A system that suspends the process when the test says so.
final class ScriptedSuspensions: ExpiringActivities {
    typealias Block = @Sendable (Bool) -> Void

    private struct State: Sendable {
        var isGranting = true
        var running: [Int: Block] = [:]
        var next = 0
    }

    private let state = Mutex(State())
    /// What was asked for, and whether it was granted.
    let requests = Recorder<Bool>()
    /// Activities that have ended.
    let ends = Recorder<Int>()
    let backgroundChanges: AsyncStream<Bool>
    private let background: AsyncStream<Bool>.Continuation

    init() { (backgroundChanges, background) = AsyncStream<Bool>.makeStream() }

    func perform(_ block: @escaping Block) {
        let number = state.withLock { state -> Int? in
            guard state.isGranting else { return nil }
            state.next += 1
            state.running[state.next] = block
            return state.next
        }
        SystemThread.start { [self] in
            guard let number else {
                block(true)
                return requests.add(false)
            }
            requests.add(true)
            block(false)
            state.withLock { _ = $0.running.removeValue(forKey: number) }
            ends.add(number)
        }
    }

    /// Whether activities are granted from now on.
    func setGranting(_ isGranting: Bool) { state.withLock { $0.isGranting = isGranting } }

    /// The process is about to be suspended. Returns when the activities have returned from that.
    func expire() async {
        setGranting(false)
        let blocks = state.withLock { Array($0.running.values) }
        for block in blocks {
            await withCheckedContinuation { continuation in
                SystemThread.start {
                    block(true)
                    continuation.resume()
                }
            }
        }
    }

    func setBackground(_ isInBackground: Bool) { background.yield(isInBackground) }
}
