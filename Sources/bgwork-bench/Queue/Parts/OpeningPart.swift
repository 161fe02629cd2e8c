import BackgroundWork

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
