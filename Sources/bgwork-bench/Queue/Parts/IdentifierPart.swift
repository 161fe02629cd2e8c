import BackgroundWork

/// Enqueues with identifiers that the package makes up, on a queue that holds many already.
struct IdentifierPart {
    private static let group = 1000

    private let queue: NoOpQueue
    private let groups: Int

    init(_ options: PartOptions) {
        queue = NoOpQueue(directory: options.directory)
        groups = options.number("groups", default: 20)
    }

    func measure() async throws -> [String: Double] {
        let scheduler = try await queue.started()
        let submission = TaskSubmission(NoOpQueue.plain, trigger: .oneTime(delay: .seconds(86_400)))
        let meter = Meter()
        for _ in 0..<groups {
            try await scheduler.enqueue(contentsOf: Array(repeating: submission, count: Self.group))
        }
        let figures = meter.figures(jobs: groups * Self.group)
        await scheduler.shutdown()
        return figures
    }
}
