import BackgroundWork

/// Leaves requests in a directory that are due tomorrow, for the parts that need them there.
struct FillPart {
    private static let batch = 10_000

    private let queue: NoOpQueue
    private let count: Int

    init(_ options: PartOptions) {
        queue = NoOpQueue(directory: options.directory)
        count = options.number("count", default: 1)
    }

    func measure() async throws -> [String: Double] {
        // Started once, so that what is opened later was opened before.
        let scheduler = try await queue.started()
        let submission = TaskSubmission(NoOpQueue.plain, trigger: .oneTime(delay: .seconds(86_400)))
        let meter = Meter()
        for start in stride(from: 0, to: count, by: Self.batch) {
            let size = min(Self.batch, count - start)
            try await scheduler.enqueue(contentsOf: Array(repeating: submission, count: size))
        }
        let figures = meter.figures(jobs: count)
        await scheduler.shutdown()
        return figures
    }
}
