/// Ends work that takes too long.
enum TimeLimit {
    /// What the work returns or throws; `nil` if it took longer, in which case it was cancelled. It must end soon after
    /// that, and may still have an answer other than `CancellationError`.
    static func run<Value: Sendable>(
        _ limit: Duration, clock: any WorkClock, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value? {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await work() }
            group.addTask {
                try await clock.sleep(for: limit)
                return nil
            }
            if let value = try await group.next() ?? nil { return value }
            group.cancelAll()
            do {
                return try await group.next() ?? nil
            } catch is CancellationError {
                return nil
            }
        }
    }
}
