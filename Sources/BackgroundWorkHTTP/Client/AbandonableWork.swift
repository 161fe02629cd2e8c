import BackgroundWorkFiles
import BackgroundWorkModel

/// Waits for work of somebody else's, which may not obey its cancellation.
package enum AbandonableWork {
    /// What the work returns; `nil` if it took longer than the limit. Throws what it throws, and `CancellationError` at
    /// once when the task is cancelled. Work that has not ended by then is cancelled and not waited for.
    package static func result<Value: Sendable>(
        within limit: Duration, clock: any WorkClock, of work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value? {
        try Task.checkCancellation()
        let answer = FirstAnswer<Result<Value?, any Error>>()
        let running = Task {
            do { answer.give(.success(try await work())) } catch { answer.give(.failure(error)) }
        }
        let timer = Task {
            do { try await clock.sleep(for: limit) } catch { return }
            answer.give(.success(nil))
        }
        defer {
            running.cancel()
            timer.cancel()
        }
        let result = await withTaskCancellationHandler {
            await answer.wait()
        } onCancel: {
            answer.give(.failure(CancellationError()))
        }
        return try result.get()
    }
}
