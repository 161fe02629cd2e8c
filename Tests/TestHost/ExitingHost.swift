import BackgroundWork
import BackgroundWorkSystem
import Foundation
import Synchronization
import TestSupport

/// A program that ends while its work runs: `exiting LOG END WORKER DIRECTORY...`. It has a scheduler for each
/// directory, which enqueues the item `w<number>` for the worker unless it is there. When all of them run, it ends as
/// END says.
enum ExitingHost {
    /// The ways to end.
    enum End: String {
        case exit
        case quickExit = "quick_exit"
        case withoutHandlers = "_exit"
        case abort
        case terminate = "SIGTERM"
        case kill = "SIGKILL"
        /// A child process that has inherited the exit handlers exits; then this process is killed.
        case killAfterChildExits = "child"
        /// The worker itself exits.
        case inWorker = "worker"
        /// By `exit`. A handler that runs after that of the package enqueues another item, and logs its state.
        case exitAndEnqueue = "enqueue"
        /// After a shutdown, and after files were opened that got the numbers of descriptors that it has closed.
        case exitAfterShutdown = "shutdown"
    }

    /// Has an element for each item whose run has come to the point at which the program may end.
    fileprivate static let running = AsyncStream.makeStream(of: Void.self)

    static func run(_ arguments: [String]) async throws -> Never {
        guard arguments.count >= 4, let end = End(rawValue: arguments[1]) else { exit(64) }
        let log = try LineLog(arguments[0])
        // The handler that is registered first runs last.
        if end == .exitAndEnqueue { atexit { ExitingHost.enqueueAtExit() } }
        let workers = try workers(log, end)
        let worker = arguments[2]
        var request = TaskRequest(workerClassName: worker, inputJSON: "{}", isIdempotent: worker == "Hold")
        // An input that others are merged into is decoded when it runs, and not when it is enqueued.
        if worker == "SlowToDecode" { request.inputMerge = .overwrite }
        var schedulers: [WorkScheduler] = []
        for (number, directory) in arguments.dropFirst(3).enumerated() {
            let scheduler = try WorkScheduler(
                configuration: .init(directory: URL(filePath: directory)), workers: workers)
            try await scheduler.start()
            try await scheduler.enqueue(request, id: "w\(number)", policy: .keep)
            schedulers.append(scheduler)
        }
        lastWords.withLock { $0 = schedulers.first.map { ($0, log) } }
        var arrivals = running.stream.makeAsyncIterator()
        for _ in schedulers { await arrivals.next() }
        if end == .exitAfterShutdown {
            for scheduler in schedulers { await scheduler.shutdown() }
        }
        leave(end, log: arguments[0])
    }

    private static let lastWords = Mutex<(scheduler: WorkScheduler, log: LineLog)?>(nil)

    private static func enqueueAtExit() {
        guard let (scheduler, log) = lastWords.withLock({ $0 }) else { return }
        let isDone = DispatchSemaphore(value: 0)
        Task.detached {
            do {
                try await scheduler.enqueue(TaskRequest(workerClassName: "Hold"), id: "late")
                let state = try await scheduler.info(id: "late")?.state
                try log.append("late is \(state.map { "\($0)" } ?? "gone")")
            } catch {
                say("\(error)")
            }
            isDone.signal()
        }
        isDone.wait()
    }

    private static func workers(_ log: LineLog, _ end: End) throws -> WorkerRegistry {
        var workers = WorkerRegistry()
        for name in ["Hold", "Once"] {
            try workers.register(name) { _, context in
                try log.append("runs \(context.workID)")
                running.continuation.yield()
                if end == .inWorker { BackgroundWorkSystem.exit(0) }
                try await Task.sleep(for: .seconds(86_400))
                return .success()
            }
        }
        try workers.register(SlowToDecode.self) { SlowToDecode() }
        return workers
    }

    private static func leave(_ end: End, log: String) -> Never {
        switch end {
        case .exit, .exitAndEnqueue: exit(0)
        case .quickExit: quick_exit(0)
        case .withoutHandlers: _exit(0)
        case .abort: abort()
        // To the process, since the thread may have blocked it.
        case .terminate: kill(getpid(), SIGTERM)
        case .kill: kill(getpid(), SIGKILL)
        case .killAfterChildExits:
            let child = fork()
            if child == 0 { exit(0) }
            var status: Int32 = 0
            guard child > 0, waitpid(child, &status, 0) == child, status == 0 else { exit(70) }
            kill(getpid(), SIGKILL)
        case .inWorker: break
        case .exitAfterShutdown:
            for number in 0..<200 {
                let file = open("\(log).\(number)", O_RDWR | O_CREAT, 0o644)
                guard file >= 0, write(file, "intact", 6) == 6 else { exit(70) }
            }
            exit(0)
        }
        while true { sleep(60) }
    }
}

/// Its run never gets as far as the call of the worker.
private struct SlowToDecode: Worker {
    struct Input: Codable, Sendable {
        init(from decoder: any Decoder) throws {
            ExitingHost.running.continuation.yield()
            while true { sleep(60) }
        }
    }

    func doWork(_ input: Input, context: WorkerContext) async throws -> WorkerResult { .success() }
}
