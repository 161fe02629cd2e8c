import BackgroundWork

/// What it takes to open a queue and run its first due item until the event, on two queues in turns.
struct OpeningCost {
    var small: ScaleQueue
    var large: ScaleQueue
    var samples = 31

    func measure() async throws -> ScaleRow {
        var times: [[Double]] = [[], []]
        for _ in 0..<samples {
            for (index, queue) in [small, large].enumerated() {
                try await queue.addDueRequest()
                var opened: WorkScheduler?
                times[index].append(try await milliseconds { opened = try await queue.openAndRunFirst() })
                await opened?.shutdown()
            }
        }
        return .ratio(
            "opening, until the first due item's event", small: times[0].median, large: times[1].median, limit: 1.2)
    }
}
