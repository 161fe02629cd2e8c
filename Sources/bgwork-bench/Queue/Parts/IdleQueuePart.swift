import BackgroundWork
import Foundation

/// One request on a queue that has nothing else to do: how many commits it takes, how long until its live event, and how
/// much of that lies between the last commit's end and the subscriber's wake.
///
/// Beside it, in turns, a bare insert on another thread that wakes the reader of an `AsyncStream` when it has committed.
struct IdleQueuePart {
    private struct BareCommit: Sendable {
        var begin: UInt64
        var end: UInt64
    }

    private static let pause = Duration.milliseconds(2)

    private let queue: NoOpQueue
    private let database: BareDatabase
    private let samples: Int

    init(_ options: PartOptions) throws {
        queue = NoOpQueue(directory: options.directory)
        database = try BareDatabase(folder: options.newFolder())
        samples = options.number("samples", default: 200)
    }

    func measure() async throws -> [String: Double] {
        // The bare database is open already, and is not watched.
        CommitWatch.begin()
        let scheduler = try await queue.started()
        var events = scheduler.eventBus.events.makeAsyncIterator()
        let (stream, continuation) = AsyncStream.makeStream(of: BareCommit.self)
        var bare = stream.makeAsyncIterator()
        let writer = DispatchQueue(label: "bare")
        var (inserts, bareWakes, latencies, wakes): ([Double], [Double], [Double], [Double]) = ([], [], [], [])
        let before = CommitWatch.count
        for _ in 0..<samples {
            try await Task.sleep(for: Self.pause)
            writer.async { [database] in
                let begin = Self.now
                // A failure shows as a time of nothing.
                try? database.insert()
                continuation.yield(BareCommit(begin: begin, end: Self.now))
            }
            if let commit = await bare.next() {
                bareWakes.append(Self.microseconds(from: commit.end))
                inserts.append(Double(commit.end - commit.begin) / 1000)
            }
            try await Task.sleep(for: Self.pause)
            let start = Self.now
            try await scheduler.enqueue(NoOpQueue.plain)
            guard await events.next() != nil else { break }
            // Had there been another commit after the event's, this would be too short; it takes longer than the wake.
            wakes.append(Self.microseconds(from: CommitWatch.newestEnd))
            latencies.append(Self.microseconds(from: start))
        }
        let commits = Double(CommitWatch.count - before) / Double(samples)
        await scheduler.shutdown()
        var figures = ["latency": latencies.median, "bare": inserts.median, "bare-wake": bareWakes.median]
        if CommitWatch.isWorking {
            figures["commits"] = commits
            figures["wake"] = wakes.median
        }
        return figures
    }

    private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

    private static func microseconds(from start: UInt64) -> Double { Double(now - start) / 1000 }
}
