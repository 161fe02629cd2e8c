import BackgroundWork
import BackgroundWorkModel
import BackgroundWorkTesting
import BackgroundWorkTransfers
import Foundation
import TestSupport
import Testing

/// Which address policy a transfer is reserved with: that of the scheduler which accepted its request, whichever runs it.
struct AcceptedSecurityPolicyTests {
    var fixture: SchedulerFixture
    let folder: TemporaryFolder
    /// The policies of the reservations, each after its work's id, in order.
    let reserved = Recorder<String>()

    init() throws {
        fixture = try SchedulerFixture()
        folder = try TemporaryFolder()
    }

    /// One that a flag of the request's row tells, and one that is stored with the request.
    private static let policies: [SecurityPolicy] = {
        var other = SecurityPolicy.publicInternet
        other.allowsLoopback = true
        other.allowedHosts = ["h", "*.nas.example:8080"]
        other.allowedPorts = [443, 8080]
        other.allowedDirectories = ["/tmp"]
        return [.unrestricted, other]
    }()

    private let later = TaskTrigger.oneTime(delay: .seconds(60))

    /// A daemon that notes the policies. `fails` says which reservations end as a lost connection, counted from 1.
    private func daemon(fails: Set<Int> = []) throws -> FolderTransferService {
        let reserved = reserved
        return try FolderTransferService(folder: fixture.folder.path + "/daemon") { specification, outcome in
            reserved.add("\(specification.reference.key.workID) \(specification.securityPolicy)")
            guard fails.contains(reserved.values.count) else { return outcome }
            var outcome = outcome
            outcome.result = .failed(TransferFailure(kind: .network, message: "lost", isRetryable: true))
            return outcome
        }
    }

    /// One that only takes requests.
    private func accept(
        under policy: SecurityPolicy, _ enqueue: (WorkScheduler) async throws -> Void
    ) async throws {
        let service = try daemon()
        let scheduler = try fixture.open {
            $0.clock = fixture.clock
            $0.securityPolicy = policy
            $0.transferService = service
        }
        try await enqueue(scheduler)
        await scheduler.shutdown()
    }

    private func start(under policy: SecurityPolicy, fails: Set<Int> = []) async throws -> WorkScheduler {
        let service = try daemon(fails: fails)
        return try await fixture.start {
            $0.securityPolicy = policy
            $0.transferService = service
        }
    }

    private func download(
        _ name: String = "f", retryPolicy: RetryPolicy = .never, more: String = ""
    ) -> TaskRequest {
        TaskRequest(
            workerClassName: "BackgroundDownloadWorker",
            inputJSON: #"{"url":"https://h/\#(name)","savePath":"\#(folder.path)/\#(name)"\#(more)}"#,
            retryPolicy: retryPolicy)
    }

    @Test(
        "work goes by the policy that it was accepted under, whatever the scheduler has that runs it",
        arguments: [.publicInternet] + Self.policies)
    func accepted(policy: SecurityPolicy) async throws {
        try await accept(under: policy) {
            try await $0.enqueue(download("a"), id: "a")
            try await $0.enqueue(contentsOf: [TaskSubmission(download("b"), id: "b")])
        }
        let running = try await start(under: policy == .publicInternet ? .unrestricted : .publicInternet)
        var ended: Set<String> = []
        for await event in try await running.eventBus.events(for: "test") {
            ended.insert(event.workID)
            if ended == ["a", "b"] { break }
        }
        await running.shutdown()
        #expect(reserved.values.sorted() == ["a \(policy)", "b \(policy)"])
    }

    @Test("nothing in a request's input widens the address policy")
    func input() async throws {
        let scheduler = try await start(under: .publicInternet)
        let events = scheduler.eventBus.events
        try await scheduler.enqueue(download(more: #","securityPolicy":"unrestricted""#), id: "a")
        _ = await SchedulerFixture.take(1, from: events)
        await scheduler.shutdown()
        #expect(reserved.values == ["a publicInternet"])
    }

    @Test("the address policy stays through retries, in a process that has another one", arguments: Self.policies)
    func retries(policy: SecurityPolicy) async throws {
        try await accept(under: policy) {
            try await $0.enqueue(
                download(retryPolicy: .linear(initialDelay: .seconds(5), maximumAttempts: 3, jitter: 0)), id: "a")
        }
        let scheduler = try await start(under: .publicInternet, fails: [1])
        let events = scheduler.eventBus.events
        for await info in scheduler.updates(id: "a") where info.runAttempt == 1 && info.state == .pending { break }
        fixture.clock.advance(by: .seconds(5))
        await scheduler.waitUntilIdle()
        #expect(await SchedulerFixture.take(1, from: events).first?.success == true)
        await scheduler.shutdown()
        #expect(reserved.values == ["a \(policy)", "a \(policy)"])
    }

    @Test("the address policy stays through recurrences", arguments: Self.policies)
    func recurrences(policy: SecurityPolicy) async throws {
        try await accept(under: policy) {
            try await $0.enqueue(download(), id: "a", trigger: .periodic(interval: .seconds(900)))
        }
        let scheduler = try await start(under: .publicInternet)
        var occurrences = 0
        for await _ in try await scheduler.eventBus.events(for: "test") {
            occurrences += 1
            if occurrences == 2 { break }
            fixture.clock.advance(by: .seconds(900))
            await scheduler.waitUntilIdle()
        }
        await scheduler.shutdown()
        #expect(reserved.values == ["a \(policy)", "a \(policy)"])
    }

    @Test("work that is retried manually keeps it", arguments: Self.policies)
    func byHand(policy: SecurityPolicy) async throws {
        try await accept(under: policy) { try await $0.enqueue(download(), id: "a") }
        let scheduler = try await start(under: .publicInternet, fails: [1])
        var ends: [WorkOutcome] = []
        for await event in try await scheduler.eventBus.events(for: "test") {
            ends.append(event.outcome)
            if ends.count == 2 { break }
            _ = try await scheduler.retry(id: "a")
        }
        await scheduler.shutdown()
        #expect(ends == [.failed, .succeeded])
        #expect(reserved.values == ["a \(policy)", "a \(policy)"])
    }

    @Test("all steps of a chain have it", arguments: Self.policies)
    func chain(policy: SecurityPolicy) async throws {
        try await accept(under: policy) {
            try await $0.beginWith(download("a")).then([download("b"), download("c")]).enqueue(id: "c")
        }
        let scheduler = try await start(under: .publicInternet)
        for await event in try await scheduler.eventBus.events(for: "test") where event.stepIndex == 1 {
            if reserved.values.count == 3 { break }
        }
        await scheduler.shutdown()
        #expect(reserved.values.sorted() == ["c/0.0 \(policy)", "c/1.0 \(policy)", "c/1.1 \(policy)"])
    }

    @Test(
        "what is appended has that of the scheduler which took it, not of the one which begins it",
        arguments: Self.policies)
    func appended(policy: SecurityPolicy) async throws {
        try await accept(under: .publicInternet) { try await $0.enqueue(download("1"), id: "a", trigger: later) }
        try await accept(under: policy) { try await $0.enqueue(download("2"), id: "a", policy: .append) }
        try await accept(under: .publicInternet) { try await $0.enqueue(download("3"), id: "a", policy: .append) }
        try await accept(under: policy) {
            try await $0.beginWith(download("4")).enqueue(id: "c")
            try await $0.beginWith(download("5")).enqueue(id: "c", policy: .append)
        }
        let scheduler = try await start(under: .publicInternet)
        fixture.clock.advance(by: .seconds(60))
        var count = 0
        for await _ in try await scheduler.eventBus.events(for: "test") {
            count += 1
            if count == 5 { break }
        }
        await scheduler.shutdown()
        #expect(
            reserved.values.filter { $0.hasPrefix("a ") }
                == ["a publicInternet", "a \(policy)", "a publicInternet"])
        #expect(reserved.values.filter { $0.hasPrefix("c/") } == ["c/0.0 \(policy)", "c/0.0 \(policy)"])
    }

    @Test("an update brings that of its scheduler, and what is kept keeps its own", arguments: Self.policies)
    func updated(policy: SecurityPolicy) async throws {
        try await accept(under: policy) {
            for id in ["narrowed", "kept"] { try await $0.enqueue(download(id), id: id, trigger: later) }
            try await $0.beginWith(download("c")).enqueue(id: "chain")
        }
        try await accept(under: .publicInternet) {
            try await $0.enqueue(download("widened"), id: "widened", trigger: later)
            try await $0.enqueue(download("narrowed"), id: "narrowed", trigger: later, policy: .update)
            try await $0.enqueue(download("kept"), id: "kept", policy: .keep)
            try await $0.beginWith(download("c")).enqueue(id: "chain", policy: .update)
        }
        try await accept(under: policy) {
            try await $0.enqueue(download("widened"), id: "widened", trigger: later, policy: .update)
        }
        let scheduler = try await start(under: .publicInternet)
        fixture.clock.advance(by: .seconds(60))
        var count = 0
        for await _ in try await scheduler.eventBus.events(for: "test") {
            count += 1
            if count == 4 { break }
        }
        await scheduler.shutdown()
        #expect(
            reserved.values.sorted() == [
                "chain/0.0 publicInternet", "kept \(policy)", "narrowed publicInternet", "widened \(policy)",
            ])
    }

    @Test("what a worker adds while it runs has that of the scheduler which runs the worker")
    mutating func addedByWorkers() async throws {
        let child = download("child")
        try fixture.workers.register("Parent") { _, context in
            try context.enqueue(child, id: "child")
            return .success()
        }
        try await accept(under: .unrestricted) {
            try await $0.enqueue(TaskRequest(workerClassName: "Parent"), id: "parent")
        }
        let scheduler = try await start(under: .publicInternet)
        for await event in try await scheduler.eventBus.events(for: "test") where event.workID == "child" { break }
        await scheduler.shutdown()
        #expect(reserved.values == ["child publicInternet"])
    }
}
