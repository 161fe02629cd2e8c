import BackgroundWork
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

/// Inputs that workers check before anything is stored.
struct InputValidationTests {
    struct Resize: Worker {
        struct Input: Codable, Sendable {
            var width: Int
        }
        struct TooWide: LocalizedError {
            var width: Int
            var errorDescription: String? { "a width of \(width) is too large" }
        }
        static func validate(input: Input) throws { if input.width > 100 { throw TooWide(width: input.width) } }
        func doWork(_ input: Input, context: WorkerContext) async throws -> WorkerResult {
            try .success(message: "\(input.width) wide", output: input)
        }
    }

    struct Fetch: Worker {
        struct Input: Codable, Sendable { var host: String }
        struct Forbidden: Error, CustomStringConvertible { var description: String { "the policy forbids it" } }
        static func validate(input: Input, under policy: SecurityPolicy) throws {
            guard policy.allowedHosts.contains(input.host) else { throw Forbidden() }
        }
        func doWork(_ input: Input, context: WorkerContext) async throws -> WorkerResult { .success() }
    }

    /// Enqueues what its input says, while it runs.
    struct Parent: Worker {
        struct Input: Codable, Sendable { var isChain: Bool }
        func doWork(_ input: Input, context: WorkerContext) async throws -> WorkerResult {
            let bad = try TaskRequest(Resize.self, input: .init(width: 101))
            do {
                if input.isChain {
                    try context.enqueueChain([[bad]], id: "child")
                } else {
                    try context.enqueue(bad, id: "child")
                }
            } catch EnqueueError.inputRefused(let reason) {
                return .failure(message: reason)
            }
            return .success()
        }
    }

    private func scheduler(_ policy: SecurityPolicy = .publicInternet) async throws -> WorkScheduler {
        var fixture = try SchedulerFixture()
        try fixture.workers.register(Resize.self) { Resize() }
        try fixture.workers.register(Fetch.self) { Fetch() }
        try fixture.workers.register(Parent.self) { Parent() }
        try fixture.workers.register("Raw") { _, _ in .success() }
        return try await fixture.start {
            $0.securityPolicy = policy
            $0.scriptedTransfers = try? ScriptedTransferService()
        }
    }

    private func request(_ width: Int) throws -> TaskRequest {
        try TaskRequest(Resize.self, input: .init(width: width))
    }

    private func expectNothing(in scheduler: WorkScheduler) async throws {
        #expect(try await scheduler.infos(matching: WorkQuery()).isEmpty)
        await scheduler.shutdown()
    }

    @Test(
        "a refused input is not stored, and the result has the worker's words", arguments: ExistingWorkPolicy.allCases)
    func refusal(policy: ExistingWorkPolicy) async throws {
        let scheduler = try await scheduler()
        let refused = try await scheduler.enqueue(request(101), id: "r", policy: policy)
        #expect(refused == .rejectedBySystem(reason: "r (Resize): a width of 101 is too large"))
        let unnamed = try await scheduler.enqueue(request(102), policy: policy)
        #expect(unnamed == .rejectedBySystem(reason: "Resize: a width of 102 is too large"))
        try await expectNothing(in: scheduler)
    }

    struct Verbose: Worker {
        struct Input: Codable, Sendable { var words: String }
        struct Words: LocalizedError { var errorDescription: String? }
        static func validate(input: Input) throws { throw Words(errorDescription: input.words) }
        func doWork(_ input: Input, context: WorkerContext) async throws -> WorkerResult { .success() }
    }

    private func reason(words: String, id: String) async throws -> String {
        var fixture = try SchedulerFixture()
        try fixture.workers.register(Verbose.self) { Verbose() }
        let scheduler = try await fixture.start()
        let result = try await scheduler.enqueue(TaskRequest(Verbose.self, input: .init(words: words)), id: id)
        await scheduler.shutdown()
        guard case .rejectedBySystem(let reason) = result else { throw CancellationError() }
        return reason
    }

    @Test("a reason has no control characters, whoever has written its words and its id")
    func printable() async throws {
        let reason = try await reason(words: "red \u{1b}[31m\r\nnew\u{9b}line", id: "i\u{7}d\n")
        #expect(reason == "i?d? (Verbose): red ?[31m??new?line")
    }

    @Test("a reason has a length that can be shown, and says that it was cut")
    func longReason() async throws {
        let long = String(repeating: "é", count: 500_000)
        let reason = try await reason(words: "<\(long)>", id: String(repeating: "i", count: 10_000))
        #expect(reason.utf8.count < 10_000 && reason.hasPrefix("iii") && reason.contains(" (Verbose): <éé"))
        #expect(reason.contains("…"))
        let scheduler = try await scheduler()
        let url = "https://" + String(repeating: "a", count: 70_000) + ".localhost/"
        let refused = try await scheduler.enqueue(
            TaskRequest(BackgroundDownloadWorker.self, input: .init(url: url, savePath: "/home/me/f")), id: "u")
        guard case .rejectedBySystem(let reason) = refused else {
            Issue.record("\(refused)")
            return
        }
        #expect(reason.utf8.count < 10_000)
        try await expectNothing(in: scheduler)
    }

    @Test("an input that does not decode is refused, and the field is named")
    func undecodable() async throws {
        let scheduler = try await scheduler()
        let wrong = try await scheduler.enqueue(
            TaskRequest(workerClassName: "Resize", inputJSON: #"{"width":"wide"}"#), id: "r")
        #expect(wrong == .rejectedBySystem(reason: #"r (Resize): "width" is not of the type Int"#))
        let missing = try await scheduler.enqueue(TaskRequest(workerClassName: "Resize"), id: "r")
        #expect(
            missing
                == .rejectedBySystem(
                    reason: "r (Resize): the request has no inputJSON, but this worker needs one"))
        try await expectNothing(in: scheduler)
    }

    @Test("input that does not decode, and was enqueued where the worker is not known, fails at once")
    func undecodableLater() async throws {
        var fixture = try SchedulerFixture()
        let elsewhere = try fixture.open()
        let inputs = ["missing": nil, "field": "{}", "type": #"{"width":"wide"}"#]
        for (id, input) in inputs {
            try await elsewhere.enqueue(TaskRequest(workerClassName: "Resize", inputJSON: input), id: id)
        }
        await elsewhere.shutdown()
        try fixture.workers.register(Resize.self) { Resize() }
        let scheduler = try await fixture.start()
        await scheduler.waitUntilIdle()
        let words = ["missing": "no inputJSON", "field": "\"width\" is missing", "type": "is not of the type Int"]
        for (id, text) in words {
            let info = try #require(try await scheduler.info(id: id))
            #expect(info.state == .failed && info.runAttempt == 1)
            #expect(info.message?.contains(text) == true, "\(info.message ?? "")")
        }
        await scheduler.shutdown()
    }

    @Test("a worker with the policy's variant is asked under the scheduler's policy")
    func underPolicy() async throws {
        var policy = SecurityPolicy()
        policy.allowedHosts = ["nas"]
        let scheduler = try await scheduler(policy)
        let refused = try await scheduler.enqueue(TaskRequest(Fetch.self, input: .init(host: "other")), id: "f")
        #expect(refused == .rejectedBySystem(reason: "f (Fetch): the policy forbids it"))
        #expect(
            try await scheduler.enqueue(TaskRequest(Fetch.self, input: .init(host: "nas")), id: "f")
                == .accepted(id: "f"))
        await scheduler.shutdown()
    }

    @Test("of many requests none is stored when one is refused, and the reason names it")
    func many() async throws {
        let scheduler = try await scheduler()
        let results = try await scheduler.enqueue(contentsOf: [
            TaskSubmission(request(1), id: "a"), TaskSubmission(request(200)), TaskSubmission(request(300), id: "c"),
        ])
        let reason = "submission 1 (Resize): a width of 200 is too large"
        #expect(results == Array(repeating: .rejectedBySystem(reason: reason), count: 3))
        try await expectNothing(in: scheduler)
    }

    @Test("a chain is stored only if every member is accepted, and the reason names the member")
    func chain() async throws {
        let scheduler = try await scheduler()
        let chain = try scheduler.beginWith(request(1)).then([request(2), request(101)])
        #expect(
            try await chain.enqueue(id: "c") == .rejectedBySystem(reason: "c/1.1 (Resize): a width of 101 is too large")
        )
        #expect(
            try await chain.enqueue()
                == .rejectedBySystem(reason: "step 1, request 1 (Resize): a width of 101 is too large"))
        try await expectNothing(in: scheduler)
    }

    @Test("an update that is refused changes nothing")
    func update() async throws {
        let scheduler = try await scheduler()
        let late = TaskTrigger.oneTime(delay: .seconds(60))
        try await scheduler.enqueue(request(1), id: "u", trigger: late)
        let answer = try await scheduler.enqueue(request(500), id: "u", trigger: late, policy: .update)
        #expect(answer == .rejectedBySystem(reason: "u (Resize): a width of 500 is too large"))
        #expect(try await scheduler.info(id: "u")?.state == .pending)
        await scheduler.shutdown()
    }

    @Test("periodic work is checked when it is enqueued")
    func periodic() async throws {
        let scheduler = try await scheduler()
        let answer = try await scheduler.enqueue(request(101), id: "p", trigger: .periodic(interval: .seconds(3600)))
        #expect(answer == .rejectedBySystem(reason: "p (Resize): a width of 101 is too large"))
        try await expectNothing(in: scheduler)
    }

    @Test("a merged input is checked when it runs, and a refusal fails the work at once")
    func merged() async throws {
        let scheduler = try await scheduler()
        var bad = TaskRequest(workerClassName: "Resize", inputMerge: .overwrite)
        bad.retryPolicy = .linear(initialDelay: .seconds(1), maximumAttempts: 5, jitter: 0)
        var first = try request(100)
        #expect(try await scheduler.beginWith(first).then(bad).enqueue(id: "good") == .accepted(id: "good"))
        await scheduler.waitUntilIdle()
        #expect(try await scheduler.info(id: "good/1.0")?.message == "100 wide")
        first = TaskRequest(workerClassName: "Wide", inputJSON: nil)
        await scheduler.shutdown()

        var fixture = try SchedulerFixture()
        try fixture.workers.register(Resize.self) { Resize() }
        try fixture.workers.register("Wide") { _, _ in .success(message: nil, outputJSON: #"{"width":400}"#) }
        let other = try await fixture.start()
        #expect(try await other.beginWith(first).then(bad).enqueue(id: "bad") == .accepted(id: "bad"))
        await other.waitUntilIdle()
        let end = try #require(try await other.info(id: "bad/1.0"))
        #expect(end.state == .failed)
        #expect(end.runAttempt == 1)
        #expect(end.message == "The input for Resize was not accepted: a width of 400 is too large")
        await other.shutdown()
    }

    @Test("closures take any input, and so does work whose worker another process has")
    func unchecked() async throws {
        let scheduler = try await scheduler()
        for worker in ["Raw", "Elsewhere"] {
            let late = TaskTrigger.oneTime(delay: .seconds(60))
            let request = TaskRequest(workerClassName: worker, inputJSON: "[]")
            #expect(try await scheduler.enqueue(request, id: worker, trigger: late) == .accepted(id: worker))
        }
        await scheduler.shutdown()
    }

    @Test("what a running worker enqueues is checked, alone and in a chain", arguments: [false, true])
    func withinRun(isChain: Bool) async throws {
        let scheduler = try await scheduler()
        try await scheduler.enqueue(TaskRequest(Parent.self, input: .init(isChain: isChain)), id: "parent")
        await scheduler.waitUntilIdle()
        let member = isChain ? "child/0.0" : "child"
        #expect(try await scheduler.info(id: "parent")?.message == "\(member) (Resize): a width of 101 is too large")
        #expect(try await scheduler.infos(matching: WorkQuery()).map(\.id) == ["parent"])
        await scheduler.shutdown()
    }

    @Test("downloads and uploads that break a rule are refused alike, as requests and by their own calls")
    func transfers() async throws {
        let scheduler = try await scheduler()
        let download = DownloadConfiguration(url: "https://example.com/f", savePath: "relative")
        let expected = ScheduleResult.rejectedBySystem(
            reason: #"d (BackgroundDownloadWorker): "savePath": it is "relative", but must be an absolute path"#)
        #expect(
            try await scheduler.enqueue(TaskRequest(BackgroundDownloadWorker.self, input: download), id: "d")
                == expected)
        #expect(
            try await scheduler.backgroundSessions.enqueueDownload(configuration: download, id: "d") == expected)
        let upload = UploadConfiguration(url: "https://127.0.0.1/", filePath: "/f")
        let answers = [
            try await scheduler.enqueue(TaskRequest(BackgroundUploadWorker.self, input: upload), id: "u"),
            try await scheduler.backgroundSessions.enqueueUpload(configuration: upload, id: "u"),
        ]
        for answer in answers {
            guard case .rejectedBySystem(let reason) = answer else {
                Issue.record("\(answer)")
                continue
            }
            #expect(reason.hasPrefix(#"u (BackgroundUploadWorker): "url": it leads to 127.0.0.1"#), "\(reason)")
        }
        try await expectNothing(in: scheduler)
    }
}
