import BackgroundWorkFiles
import BackgroundWorkSystem
import Dispatch
import Synchronization

/// Whether a run has been asked to stop. It is asked between pieces of work that take a few milliseconds.
final class CancellationFlag: Sendable {
    private let isSet = Atomic(false)

    func set() { isSet.store(true, ordering: .releasing) }

    /// Throws `CancellationError` once it is set.
    func check() throws {
        if isSet.load(ordering: .acquiring) { throw CancellationError() }
    }
}

/// Runs what reads and writes files for minutes on a thread of its own.
enum ArchiveThread {
    /// What a stopped run gets to remove what it has begun, before the caller goes on without it.
    private static let grace = DispatchTimeInterval.milliseconds(60)

    /// Returns what `body` returns. When the task is cancelled, the flag is set, and the call throws `CancellationError`
    /// soon, even if a call of `body` hangs: it cleans up on its thread as soon as it can.
    static func run<Value: Sendable>(_ body: @escaping @Sendable (CancellationFlag) throws -> Value) async throws
        -> Value
    {
        let flag = CancellationFlag()
        let answer = FirstAnswer<Result<Value, any Error>>()
        let started = SystemThread.start { answer.give(Result { try body(flag) }) }
        guard started else { throw FileError(action: "start a thread for", path: "an archive", code: EAGAIN) }
        return try await withTaskCancellationHandler {
            try await answer.wait().get()
        } onCancel: {
            flag.set()
            DispatchQueue.global().asyncAfter(deadline: .now() + grace) { answer.give(.failure(CancellationError())) }
        }
    }
}
