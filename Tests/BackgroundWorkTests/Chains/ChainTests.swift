import BackgroundWork
import Foundation
import TestSupport
import Testing

struct ChainTests {
    var fixture: SchedulerFixture
    /// Ids in the order in which they started.
    let order = Recorder<String>()

    init() throws {
        fixture = try SchedulerFixture()
        let order = order
        try fixture.workers.register("W") { _, context in
            order.add(context.workID)
            return .success(outputJSON: "\"\(context.workID)\"")
        }
        try fixture.workers.register("Join") { _, context in
            order.add(context.workID)
            return .success(outputJSON: "[\(context.previousOutputs.joined(separator: ","))]")
        }
        try fixture.workers.register("Fails") { _, _ in .failure(message: "no luck") }
    }

    let request = TaskRequest(workerClassName: "W")
    let join = TaskRequest(workerClassName: "Join")
    let failure = TaskRequest(workerClassName: "Fails")

    private func states(_ scheduler: WorkScheduler) async throws -> [WorkState] {
        try await scheduler.infos(chainID: "c").map(\.state)
    }

    private func messages(_ scheduler: WorkScheduler) async throws -> [String?] {
        try await scheduler.infos(chainID: "c").map(\.message)
    }

    @Test("a chain fans out and in, and each step finds the outputs of the one before in order")
    func fan() async throws {
        let scheduler = try await fixture.start()
        try await scheduler.beginWith(request).then([join, join, join]).then(join).enqueue(id: "c")
        await scheduler.waitUntilIdle()
        let one = #"["c/0.0"]"#
        #expect(try await scheduler.info(id: "c/1.2")?.outputJSON == one)
        #expect(try await scheduler.info(id: "c/2.0")?.outputJSON == "[\(one),\(one),\(one)]")
        #expect(order.values.first == "c/0.0")
        #expect(order.values.last == "c/2.0")
        #expect(order.values.count == 5)
        await scheduler.shutdown()
    }

    @Test("wide steps, many of which end together: each next one begins once, after all of the one before")
    func wide() async throws {
        let scheduler = try await fixture.start()
        let chains = ["a", "b", "c"]
        for id in chains {
            try await scheduler.beginWith(Array(repeating: request, count: 300))
                .then(Array(repeating: request, count: 200)).then(join).enqueue(id: id)
        }
        // One whose members partly fail, beside them.
        try await scheduler.beginWith((0..<300).map { $0 == 250 ? failure : request }).then([join, join])
            .enqueue(id: "d")
        await scheduler.waitUntilIdle()
        for id in chains {
            let ran = order.values.filter { $0.hasPrefix("\(id)/") }
            #expect(ran.count == 501 && Set(ran).count == 501)
            #expect(ran.prefix(300).allSatisfy { $0.hasPrefix("\(id)/0.") })
            #expect(ran.last == "\(id)/2.0")
            let outputs = (0..<200).map { "\"\(id)/1.\($0)\"" }.joined(separator: ",")
            #expect(try await scheduler.info(id: "\(id)/2.0")?.outputJSON == "[\(outputs)]")
        }
        let states = try await scheduler.infos(chainID: "d").map(\.state)
        #expect(states == (0..<302).map { $0 == 250 || $0 >= 300 ? .failed : .succeeded })
        await scheduler.shutdown()
    }

    @Test("a hundred steps run in order, each once")
    func hundred() async throws {
        let scheduler = try await fixture.start()
        var chain = scheduler.beginWith(request)
        for _ in 1..<100 { chain = chain.then(request) }
        try await chain.enqueue(id: "c")
        await scheduler.waitUntilIdle()
        #expect(order.values == (0..<100).map { "c/\($0).0" })
        #expect(try await scheduler.executionHistory(limit: 1000).count == 100)
        await scheduler.shutdown()
    }

    @Test("branches continue independently, and the join finds the outputs of their last steps in order")
    mutating func branches() async throws {
        let gate = Latch()
        let branchBDone = Latch()
        try fixture.workers.register("Held") { _, context in
            await gate.wait()
            return .success(outputJSON: "\"\(context.workID)\"")
        }
        try fixture.workers.register("Tells") { _, context in
            branchBDone.open()
            return .success(outputJSON: "\"\(context.workID)\"")
        }
        let scheduler = try await fixture.start()
        let held = TaskRequest(workerClassName: "Held")
        let a = scheduler.beginWith(held).then(request)
        let b = scheduler.beginWith([request, request]).then(TaskRequest(workerClassName: "Tells"))
        try await #require(TaskChain.combine([a, b])).then(join).then(join).enqueue(id: "c")
        await branchBDone.wait()
        #expect(try await scheduler.info(id: "c/0.0")?.state == .running)
        #expect(try await scheduler.info(id: "c/1.0")?.state == .blocked)
        gate.open()
        await scheduler.waitUntilIdle()
        #expect(try await scheduler.info(id: "c/4.0")?.outputJSON == #"["c/1.0","c/3.0"]"#)
        #expect(try await scheduler.info(id: "c/5.0")?.outputJSON == #"[["c/1.0","c/3.0"]]"#)
        await scheduler.shutdown()
    }

    @Test("a failure in one branch fails what follows it and the join, and lets the other branch continue")
    func branchFails() async throws {
        let scheduler = try await fixture.start()
        let a = scheduler.beginWith(failure).then(request)
        let b = scheduler.beginWith(request).then(request)
        try await #require(TaskChain.combine([a, b])).then(join).enqueue(id: "c")
        await scheduler.waitUntilIdle()
        #expect(try await states(scheduler) == [.failed, .failed, .succeeded, .succeeded, .failed])
        let messages = try await messages(scheduler)
        for index in [1, 4] {
            #expect(messages[index] == "c/0.0 (Fails), which this waits for, failed")
        }
        #expect(try await scheduler.executionHistory().count == 5)
        await scheduler.shutdown()
    }

    @Test("joins may be joined again")
    func nestedJoins() async throws {
        let scheduler = try await fixture.start()
        let inner = try #require(TaskChain.combine([scheduler.beginWith(request), scheduler.beginWith(request)]))
        let outer = try #require(TaskChain.combine([inner.then(join), scheduler.beginWith(request), inner]))
        try await outer.then(join).enqueue(id: "c")
        await scheduler.waitUntilIdle()
        #expect(
            try await scheduler.info(id: "c/6.0")?.outputJSON == #"[["c/0.0","c/1.0"],"c/3.0","c/4.0","c/5.0"]"#)
        await scheduler.shutdown()
    }

    @Test("what waits for a failed step fails with a reason that names it, its siblings continue")
    func failedStep() async throws {
        let scheduler = try await fixture.start()
        try await scheduler.beginWith([request, failure, request]).then([request, request]).then(request)
            .enqueue(id: "c")
        await scheduler.waitUntilIdle()
        #expect(
            try await states(scheduler) == [.succeeded, .failed, .succeeded, .failed, .failed, .failed])
        let messages = try await messages(scheduler)
        #expect(messages[1] == "no luck")
        for message in messages.dropFirst(3) { #expect(message == "c/0.1 (Fails), which this waits for, failed") }
        let history = try await scheduler.executionHistory()
        #expect(Set(history.map(\.workID)).count == 6 && history.count == 6)
        #expect(history.filter { $0.stepIndex > 0 }.allSatisfy { $0.attempt == 0 && $0.startedAt == nil })
        await scheduler.shutdown()
    }

    @Test("work that waits for a cancelled member is cancelled, and finished work is unchanged")
    func cancelledStep() async throws {
        let scheduler = try await fixture.start()
        var later = request
        later.delay = .seconds(60)
        try await scheduler.beginWith(request).then([later, later]).then(request).enqueue(id: "c")
        await scheduler.waitUntilIdle()
        #expect(try await scheduler.cancel(id: "c/1.0") == .cancelled(items: 2))
        #expect(try await states(scheduler) == [.succeeded, .cancelled, .pending, .cancelled])
        #expect(try await messages(scheduler).last == "c/1.0 (W), which this waits for, was cancelled")
        fixture.clock.advance(by: .seconds(60))
        await scheduler.waitUntilIdle()
        #expect(try await states(scheduler) == [.succeeded, .cancelled, .succeeded, .cancelled])
        await scheduler.shutdown()
    }

    @Test("what waits for a member that missed its deadline is skipped with it")
    func skippedStep() async throws {
        let scheduler = try await fixture.start()
        var late = request
        late.delay = .seconds(60)
        late.deadline = fixture.clock.now.addingTimeInterval(30)
        try await scheduler.beginWith(request).then(late).then(request).enqueue(id: "c")
        await scheduler.waitUntilIdle()
        fixture.clock.advance(by: .seconds(30))
        await scheduler.waitUntilIdle()
        #expect(try await states(scheduler) == [.succeeded, .skipped, .skipped])
        #expect(try await messages(scheduler)[1]?.contains("its deadline had passed") == true)
        #expect(try await messages(scheduler)[2] == "c/1.0 (W), which this waits for, was skipped")
        await scheduler.shutdown()
    }

    @Test("a member's deadline counts while it waits for the step before, too")
    mutating func deadlineWhileBlocked() async throws {
        let gate = Latch()
        try fixture.workers.register("Held") { _, _ in
            await gate.wait()
            return .success()
        }
        let scheduler = try await fixture.start()
        let events = scheduler.eventBus.events
        var late = request
        late.deadline = fixture.clock.now.addingTimeInterval(30)
        try await scheduler.beginWith(TaskRequest(workerClassName: "Held")).then([late, request]).then(request)
            .enqueue(id: "c")
        await fixture.clock.untilSleeping(atLeast: 1)
        fixture.clock.advance(by: .seconds(30))
        let skipped = await SchedulerFixture.take(2, from: events)
        #expect(skipped.map(\.workID) == ["c/1.0", "c/2.0"])
        #expect(skipped.allSatisfy { $0.outcome == .skipped })
        gate.open()
        await scheduler.waitUntilIdle()
        #expect(try await states(scheduler) == [.succeeded, .skipped, .succeeded, .skipped])
        await scheduler.shutdown()
    }

    @Test("a member's delay counts from its release")
    func delay() async throws {
        let scheduler = try await fixture.start()
        var delayed = request
        delayed.delay = .seconds(30)
        try await scheduler.beginWith(delayed).then([delayed, request]).then(delayed).enqueue(id: "c")
        for expected in [[], ["c/0.0", "c/1.1"], ["c/0.0", "c/1.1", "c/1.0"]] {
            fixture.clock.advance(by: .seconds(29))
            await scheduler.waitUntilIdle()
            #expect(order.values == expected)
            fixture.clock.advance(by: .seconds(1))
            await scheduler.waitUntilIdle()
        }
        #expect(order.values == ["c/0.0", "c/1.1", "c/1.0", "c/2.0"])
        let history = try await scheduler.executionHistory().reversed()
        let start = fixture.clock.now.addingTimeInterval(-90)
        #expect(history.map { $0.finishedAt.timeIntervalSince(start) } == [30, 30, 60, 90])
        await scheduler.shutdown()
    }

    @Test("outputs are merged into the input by key: the last one wins, or all are collected")
    mutating func merge() async throws {
        let inputs = Recorder<String?>()
        try fixture.workers.register("Gives") { input, _ in .success(outputJSON: input) }
        try fixture.workers.register("Takes") { input, _ in
            inputs.add(input)
            return .success()
        }
        let scheduler = try await fixture.start()
        let outputs = [#"{"a":1,"b":[true,null]}"#, #"{"a":2.5,"c":{"d":"/é\u0000"}}"#].map {
            TaskRequest(workerClassName: "Gives", inputJSON: $0)
        }
        for merge in InputMerge.allCases {
            let own = #"{"a":0,"own":-9223372036854775808}"#
            let taker = TaskRequest(workerClassName: "Takes", inputJSON: own, inputMerge: merge)
            try await scheduler.beginWith(outputs).then(taker).enqueue()
            await scheduler.waitUntilIdle()
        }
        #expect(
            inputs.values == [
                #"{"a":2.5,"b":[true,null],"c":{"d":"/é\u0000"},"own":-9223372036854775808}"#,
                #"{"a":[0,1,2.5],"b":[[true,null]],"c":[{"d":"/é\u0000"}],"own":[-9223372036854775808]}"#,
            ])
        await scheduler.shutdown()
    }

    @Test(
        "an output that is not a JSON object cannot be merged, and the failure says so", arguments: InputMerge.allCases)
    func mergeOfOthers(merge: InputMerge) async throws {
        let scheduler = try await fixture.start()
        var merging = request
        merging.inputMerge = merge
        try await scheduler.beginWith(request).then(merging).then(request).enqueue(id: "c")
        merging.inputJSON = "[1]"
        try await scheduler.enqueue(merging, id: "own")
        await scheduler.waitUntilIdle()
        #expect(try await states(scheduler) == [.succeeded, .failed, .failed])
        let message = try await messages(scheduler)[1]
        #expect(message?.contains("W was not started") == true)
        #expect(message?.contains("output 0 of the previous step is not a JSON object") == true)
        #expect(try await scheduler.info(id: "own")?.message?.contains("its own input is not a JSON object") == true)
        await scheduler.shutdown()
    }

    @Test("a step after a hand-off begins at once or with the outcome, as the request says")
    mutating func continuation() async throws {
        let tokens = Recorder<HandOffToken>()
        try fixture.workers.register("HandsOff") { _, context in
            tokens.add(context.handOffToken)
            return .handedOff(context.handOffToken)
        }
        let scheduler = try await fixture.start()
        var handsOff = TaskRequest(workerClassName: "HandsOff")
        try await scheduler.beginWith([handsOff, request]).then(join).enqueue(id: "waits")
        await scheduler.waitUntilIdle()
        #expect(try await scheduler.info(id: "waits/1.0")?.state == .blocked)
        let first = try #require(tokens.values.first)
        #expect(try await scheduler.complete(first, with: .success(outputJSON: "7")) == .completed)
        await scheduler.waitUntilIdle()
        #expect(try await scheduler.info(id: "waits/1.0")?.outputJSON == #"[7,"waits/0.1"]"#)

        handsOff.continuation = .afterHandOff
        try await scheduler.beginWith([handsOff, request]).then(join).then(join).enqueue(id: "c")
        await scheduler.waitUntilIdle()
        #expect(try await states(scheduler) == [.handedOff, .succeeded, .succeeded, .succeeded])
        let second = try #require(tokens.values.last)
        #expect(try await scheduler.complete(second, with: .failure(message: "lost")) == .completed)
        await scheduler.waitUntilIdle()
        #expect(try await states(scheduler) == [.failed, .succeeded, .succeeded, .succeeded])
        let history = try await scheduler.executionHistory().filter { $0.chainID == "c" }
        #expect(history.count == 4)
        #expect(history.first?.workID == "c/0.0")
        #expect(history.first?.message == "lost")
        await scheduler.shutdown()
    }

    @Test("successors of a hand-off that have not started stay when it fails later")
    mutating func releasedSuccessor() async throws {
        let tokens = Recorder<HandOffToken>()
        try fixture.workers.register("HandsOff") { _, context in
            tokens.add(context.handOffToken)
            return .handedOff(context.handOffToken)
        }
        let scheduler = try await fixture.start()
        let handsOff = TaskRequest(workerClassName: "HandsOff", continuation: .afterHandOff)
        var later = request
        later.delay = .seconds(60)
        try await scheduler.beginWith([handsOff, later]).then(later).then(request).enqueue(id: "c")
        await scheduler.waitUntilIdle()
        let token = try #require(tokens.values.first)
        #expect(try await scheduler.complete(token, with: .failure(message: "lost")) == .completed)
        #expect(try await states(scheduler) == [.failed, .pending, .blocked, .blocked])
        for _ in 0..<2 {
            fixture.clock.advance(by: .seconds(60))
            await scheduler.waitUntilIdle()
        }
        #expect(try await states(scheduler) == [.failed, .succeeded, .succeeded, .succeeded])
        await scheduler.shutdown()
    }

    @Test("a chain continues at the step that ran when the scheduler was shut down")
    mutating func resumption() async throws {
        let started = Latch()
        let attempts = Recorder<Int>()
        try fixture.workers.register("Long") { _, context in
            attempts.add(context.runAttempt)
            if attempts.values.count > 1 { return .success(outputJSON: context.previousOutputs.first) }
            started.open()
            try await Task.sleep(for: .seconds(3600))
            return .success()
        }
        let first = try await fixture.start()
        try await first.beginWith(request).then(TaskRequest(workerClassName: "Long")).then(join).enqueue(id: "c")
        await started.wait()
        await first.shutdown()
        #expect(try await states(first) == [.succeeded, .pending, .blocked])
        let second = try await fixture.start()
        await second.waitUntilIdle()
        #expect(attempts.values == [1, 1])
        #expect(order.values == ["c/0.0", "c/2.0"])
        #expect(try await second.info(id: "c/2.0")?.outputJSON == #"["c/0.0"]"#)
        await second.shutdown()
    }

    @Test("a chain is updated by one of the same shape, and any other is rejected")
    func update() async throws {
        let scheduler = try fixture.open { $0.clock = fixture.clock }
        var longer = request
        longer.delay = .seconds(60)
        try await scheduler.beginWith(longer).then([request, request]).enqueue(id: "c")
        let others = [
            scheduler.beginWith(request), scheduler.beginWith(request).then(request),
            scheduler.beginWith([request, request]).then(request),
            try #require(TaskChain.combine([scheduler.beginWith(request), scheduler.beginWith([request, request])])),
        ]
        for other in others {
            let error = await #expect(throws: EnqueueError.self) {
                try await other.enqueue(id: "c", policy: .update)
            }
            guard case .cannotUpdate("c", _) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(error?.description.contains("Replace it instead") == true)
        }
        #expect(try await scheduler.infos(chainID: "c").allSatisfy { $0.workerClassName == "W" })
        try await scheduler.beginWith(join).then([join, join]).enqueue(id: "c", policy: .update)
        #expect(try await scheduler.infos(chainID: "c").allSatisfy { $0.workerClassName == "Join" })
        #expect(try await states(scheduler) == [.pending, .blocked, .blocked])
        await scheduler.shutdown()
    }

    @Test("requests and chains do not take each other's ids")
    func ids() async throws {
        let scheduler = try fixture.open { $0.clock = fixture.clock }
        try await scheduler.enqueue(request, id: "single")
        try await scheduler.enqueue(request, id: "x/0.0")
        try await scheduler.beginWith(request).enqueue(id: "c")
        try await scheduler.beginWith(request).enqueue(id: "y/0.0")
        for policy in ExistingWorkPolicy.allCases {
            for id in ["c", "c/0.0"] {
                await #expect(throws: EnqueueError.self) {
                    try await scheduler.enqueue(request, id: id, policy: policy)
                }
            }
            for id in ["single", "x", "c/0.0", "y"] {
                await #expect(throws: EnqueueError.self) {
                    try await scheduler.beginWith(request).enqueue(id: id, policy: policy)
                }
            }
        }
        #expect(
            try await scheduler.infos(matching: WorkQuery()).map(\.id) == ["single", "x/0.0", "c/0.0", "y/0.0/0.0"])
        await scheduler.shutdown()
    }
}
