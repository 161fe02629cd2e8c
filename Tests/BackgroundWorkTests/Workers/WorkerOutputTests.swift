import BackgroundWork
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

/// What workers give, and how those after them take it.
struct WorkerOutputTests {
    struct Count: Codable, Sendable, Equatable { var count: Int }
    struct Name: Codable, Sendable, Equatable { var name: String }

    /// Gives what its input says.
    struct Counts: Worker {
        typealias Output = Count
        func doWork(_ input: Int, context: WorkerContext) async throws -> WorkerResult {
            try .success(output: Count(count: input))
        }
    }

    struct Names: Worker {
        typealias Output = Name
        func doWork(_ input: String, context: WorkerContext) async throws -> WorkerResult {
            try .success(message: "named", output: Name(name: input))
        }
    }

    /// Gives nothing.
    struct Nothing: Worker {
        typealias Output = Count
        func doWork(_ input: NoInput, context: WorkerContext) async throws -> WorkerResult { .success() }
    }

    var fixture: SchedulerFixture

    init() throws {
        fixture = try SchedulerFixture()
        try fixture.workers.register(Counts.self) { Counts() }
        try fixture.workers.register(Names.self) { Names() }
        try fixture.workers.register(Nothing.self) { Nothing() }
    }

    private func count(_ number: Int) throws -> TaskRequest { try TaskRequest(Counts.self, input: number) }
    private func name(_ name: String) throws -> TaskRequest { try TaskRequest(Names.self, input: name) }
    private let nothing = TaskRequest(Nothing.self)
    private let look = TaskRequest(workerClassName: "Look", retryPolicy: .never)

    /// Runs a chain whose last step is `look`, and returns how that ended.
    private mutating func end(
        of steps: [[TaskRequest]], _ body: @escaping @Sendable (WorkerContext) async throws -> String
    ) async throws -> WorkInfo {
        try fixture.workers.register("Look") { _, context in .success(message: try await body(context)) }
        let scheduler = try await fixture.start()
        var chain = scheduler.beginWith(steps[0])
        for step in steps.dropFirst() { chain = chain.then(step) }
        try await chain.then(look).enqueue(id: "c")
        await scheduler.waitUntilIdle()
        let info = try #require(try await scheduler.info(id: "c/\(steps.count).0"))
        await scheduler.shutdown()
        return info
    }

    @Test("an output is encoded in one way, and goes to the event")
    func encoded() async throws {
        struct Pair: Codable, Sendable {
            var b = "/x"
            var a = 1
        }
        #expect(try WorkerResult.success(output: Pair()) == .success(outputJSON: #"{"a":1,"b":"/x"}"#))
        let scheduler = try await fixture.start()
        try await scheduler.enqueue(name("Ann"), id: "n")
        await scheduler.waitUntilIdle()
        let info = try #require(try await scheduler.info(id: "n"))
        #expect(info.message == "named")
        #expect(try info.output(as: Name.self) == Name(name: "Ann"))
        #expect(throws: WorkerOutputError.self) { try info.output(as: Count.self) }
        await scheduler.shutdown()
    }

    @Test("an output that cannot be written as JSON fails its request at once, with the field's name")
    mutating func notEncodable() async throws {
        let runs = Recorder<Int>()
        try fixture.workers.register("Odd") { _, context in
            runs.add(context.runAttempt)
            return try .success(output: ["speed": Double.nan])
        }
        let scheduler = try await fixture.start()
        try await scheduler.enqueue(TaskRequest(workerClassName: "Odd"), id: "odd")
        await scheduler.waitUntilIdle()
        let info = try #require(try await scheduler.info(id: "odd"))
        #expect(info.state == .failed)
        #expect(info.message?.hasPrefix("Odd failed: The output, ") == true, "\(info.message ?? "")")
        #expect(info.message?.contains("\"speed\"") == true, "\(info.message ?? "")")
        #expect(runs.values == [1])
        await scheduler.shutdown()
    }

    @Test("a worker's declared output is enforced; a worker without one may return any text")
    mutating func declared() async throws {
        struct Wrong: Worker {
            typealias Output = Count
            func doWork(_ input: NoInput, context: WorkerContext) async throws -> WorkerResult {
                try .success(output: Name(name: "x"))
            }
        }
        struct Free: Worker {
            func doWork(_ input: NoInput, context: WorkerContext) async throws -> WorkerResult {
                .success(outputJSON: "[1]")
            }
        }
        try fixture.workers.register(Wrong.self) { Wrong() }
        try fixture.workers.register(Free.self) { Free() }
        let scheduler = try await fixture.start()
        for request in [TaskRequest(Wrong.self), TaskRequest(Free.self), nothing] {
            try await scheduler.enqueue(request, id: request.workerClassName)
        }
        await scheduler.waitUntilIdle()
        let wrong = try #require(try await scheduler.info(id: "Wrong"))
        #expect(wrong.state == .failed)
        #expect(wrong.message?.contains("the field \"count\" is missing") == true, "\(wrong.message ?? "")")
        #expect(try await scheduler.info(id: "Free")?.outputJSON == "[1]")
        #expect(try await scheduler.info(id: "Nothing")?.state == .succeeded)
        await scheduler.shutdown()
    }

    @Test("the output is that of the nearest earlier step that has one of the type")
    mutating func nearest() async throws {
        let info = try await end(of: [[count(1)], [count(2)], [name("Ann"), name("Bob")], [nothing]]) { context in
            "\(try await context.output(of: Count.self).count)"
        }
        #expect(info.message == "2")
    }

    @Test("of several kinds of work in one step, each output is found by its type")
    mutating func mixed() async throws {
        let info = try await end(of: [[count(1), name("Ann"), nothing]]) { context in
            let (name, count) = (try await context.output(of: Name.self), try await context.output(of: Count.self))
            return "\(name.name) \(count.count)"
        }
        #expect(info.message == "Ann 1")
    }

    @Test("several that fit in the nearest step are an error that names them, also if an earlier step has one")
    mutating func ambiguous() async throws {
        let info = try await end(of: [[count(1)], [count(2), name("Ann"), count(3)]]) { context in
            "\(try await context.output(of: Count.self).count)"
        }
        #expect(info.state == .failed)
        #expect(info.message?.contains("c/1.0, c/1.2") == true, "\(info.message ?? "")")
        #expect(info.message?.contains("outputs(ofStep:as:)") == true)
    }

    @Test("none in any earlier step is an error that names the type, and nothing is tried again")
    mutating func notFound() async throws {
        let caught = Recorder<WorkerOutputError>()
        let info = try await end(of: [[nothing], [name("Ann")]]) { context in
            do {
                return "\(try await context.output(of: Count.self))"
            } catch let error as WorkerOutputError {
                caught.add(error)
                throw error
            }
        }
        #expect(info.state == .failed && info.runAttempt == 1)
        #expect(info.message?.contains("WorkerOutputTests.Count") == true, "\(info.message ?? "")")
        guard case .notFound(_, "c/2.0") = caught.values.first else {
            Issue.record("\(caught.values)")
            return
        }
    }

    @Test("a request outside of a chain has no earlier outputs")
    mutating func alone() async throws {
        try fixture.workers.register("Look") { _, context in
            await #expect(throws: WorkerOutputError.self) { try await context.output(of: Count.self) }
            await #expect(throws: WorkerOutputError.notEarlier(step: 0, workID: "alone")) {
                try await context.outputs(ofStep: 0, as: Count.self)
            }
            return .success()
        }
        let scheduler = try await fixture.start()
        try await scheduler.enqueue(look, id: "alone")
        await scheduler.waitUntilIdle()
        #expect(try await scheduler.info(id: "alone")?.state == .succeeded)
        await scheduler.shutdown()
    }

    @Test("the outputs of a step keep their positions, with nil where there is none")
    mutating func positions() async throws {
        let info = try await end(of: [[nothing, count(1), nothing, count(3)], [name("Ann")]]) { context in
            #expect(try await context.outputs(ofStep: 1, as: Name.self) == [Name(name: "Ann")])
            return try await context.outputs(ofStep: 0, as: Count.self)
                .map { $0.map { "\($0.count)" } ?? "-" }.joined(separator: " ")
        }
        #expect(info.message == "- 1 - 3")
    }

    @Test("an output of another type in a step that is asked for is an error that names its work")
    mutating func mismatch() async throws {
        let info = try await end(of: [[count(1), name("Ann")]]) { context in
            "\(try await context.outputs(ofStep: 0, as: Count.self))"
        }
        #expect(info.state == .failed)
        #expect(info.message?.contains("\"c/0.1\"") == true, "\(info.message ?? "")")
        #expect(info.message?.contains("the field \"count\" is missing") == true, "\(info.message ?? "")")
    }

    @Test("steps that do not come before are rejected")
    mutating func notEarlier() async throws {
        let info = try await end(of: [[count(1)]]) { context in
            for step in [-1, 1, 2, 99] {
                await #expect(throws: WorkerOutputError.notEarlier(step: step, workID: "c/1.0")) {
                    try await context.outputs(ofStep: step, as: Count.self)
                }
            }
            return ""
        }
        #expect(info.state == .succeeded)
    }

    @Test("where branches join, their last steps are one step back, and another branch's steps are not before")
    mutating func branches() async throws {
        try fixture.workers.register("Look") { _, context in
            let last = try await context.output(of: Name.self)
            let first = try await context.outputs(ofStep: 0, as: Count.self)
            // The nearest counts of both branches are two steps back.
            await #expect(throws: WorkerOutputError.self) { try await context.output(of: Count.self) }
            return .success(message: "\(last.name) \(first.compactMap { $0?.count })")
        }
        try fixture.workers.register("Inside") { _, context in
            await #expect(throws: WorkerOutputError.notEarlier(step: 0, workID: context.workID)) {
                try await context.outputs(ofStep: 0, as: Count.self)
            }
            return .success(message: "\(try await context.output(of: Count.self).count)")
        }
        let scheduler = try await fixture.start()
        let one = scheduler.beginWith(try count(1)).then(try name("Ann"))
        let other = scheduler.beginWith(try count(2)).then(TaskRequest(workerClassName: "Inside", retryPolicy: .never))
        try await #require(TaskChain.combine([one, other])).then(look).enqueue(id: "c")
        await scheduler.waitUntilIdle()
        #expect(try await scheduler.infos(chainID: "c").map(\.state).allSatisfy { $0 == .succeeded })
        #expect(try await scheduler.info(id: "c/3.0")?.message == "2")
        #expect(try await scheduler.info(id: "c/4.0")?.message == "Ann [1]")
        await scheduler.shutdown()
    }

    @Test("outputs of a chain that is not finished survive the retention limit of events")
    mutating func pruned() async throws {
        try fixture.workers.register("Look") { _, context in
            let all = try await context.outputs(ofStep: 0, as: Count.self)
            let count = try await context.output(of: Count.self).count
            return .success(message: "\(count) \(all.compactMap { $0 }.count)")
        }
        let scheduler = try await fixture.start { $0.retainedEvents = 1 }
        var last = look
        last.delay = .seconds(60)
        try await scheduler.beginWith([try count(7), nothing]).then(last).enqueue(id: "c")
        try await scheduler.enqueue(contentsOf: try (0..<600).map { TaskSubmission(try count($0)) })
        await scheduler.waitUntilIdle()
        #expect(try await scheduler.executionHistory(limit: 1000).contains { $0.chainID == "c" } == false)
        fixture.clock.advance(by: .seconds(60))
        await scheduler.waitUntilIdle()
        #expect(try await scheduler.info(id: "c/1.0")?.message == "7 1")
        await scheduler.shutdown()
    }

    @Test("an outcome that is reported for a hand-off has its output like any other")
    mutating func completed() async throws {
        let tokens = Recorder<HandOffToken>()
        try fixture.workers.register("Hands off") { _, context in
            tokens.add(context.handOffToken)
            return .handedOff(context.handOffToken)
        }
        try fixture.workers.register("Look") { _, context in
            .success(message: "\(try await context.output(of: Count.self).count)")
        }
        let scheduler = try await fixture.start()
        try await scheduler.beginWith(TaskRequest(workerClassName: "Hands off")).then(look).enqueue(id: "c")
        await scheduler.waitUntilIdle()
        _ = try await scheduler.complete(
            try #require(tokens.values.first), with: .success(output: Count(count: 4)))
        await scheduler.waitUntilIdle()
        #expect(try await scheduler.info(id: "c/1.0")?.message == "4")
        await scheduler.shutdown()
    }

    @Test("each error says the same in every way that it is shown")
    func words() {
        let errors: [WorkerOutputError] = [
            .notEncodable(type: "T", reason: "r"), .notFound(type: "T", workID: "w"),
            .ambiguous(type: "T", workIDs: ["a", "b"]), .mismatch(type: "T", workID: "w", reason: "r"),
            .notEarlier(step: 3, workID: "w"),
        ]
        for error in errors {
            #expect(error.localizedDescription == error.description)
            #expect(error.description.contains("T") || error.description.contains("3"))
        }
    }
}
