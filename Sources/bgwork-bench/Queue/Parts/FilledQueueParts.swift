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

/// `init` and `start` of the first scheduler of a process.
struct OpeningPart {
    private let queue: NoOpQueue

    init(_ options: PartOptions) { queue = NoOpQueue(directory: options.directory) }

    func measure() async throws -> [String: Double] {
        var opened: WorkScheduler?
        let time = try await milliseconds { opened = try await queue.started() }
        await opened?.shutdown()
        return ["wall": time]
    }
}

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
