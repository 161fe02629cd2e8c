import Testing

@testable import BackgroundWorkModel

struct RequestRulesTests {
    @Test("a request without a worker's name is rejected")
    func emptyName() {
        #expect(throws: EnqueueError.emptyWorkerName) { try RequestRules.check(TaskRequest(workerClassName: "")) }
    }

    @Test("malformed input is rejected with the worker's name and the position")
    func malformedInput() {
        let error = #expect(throws: EnqueueError.self) {
            try RequestRules.check(TaskRequest(workerClassName: "SyncWorker", inputJSON: "{\"a\":"))
        }
        #expect(error?.description.contains("SyncWorker") == true)
        #expect(error?.description.contains("ends too early") == true)
    }

    @Test("input over the limit is rejected with both sizes")
    func tooLarge() {
        let text = "\"" + String(repeating: "a", count: RequestRules.maximumInputBytes) + "\""
        #expect(
            throws: EnqueueError.inputTooLarge(
                workerClassName: "W", bytes: text.utf8.count, limit: RequestRules.maximumInputBytes)
        ) { try RequestRules.check(TaskRequest(workerClassName: "W", inputJSON: text)) }
    }

    @Test("ids from one byte to 10 kB are accepted, others are not")
    func ids() throws {
        for id in ["a", "a/b", "a\0b", "🚚", String(repeating: "x", count: RequestRules.maximumIDBytes)] {
            try RequestRules.check(id: id)
        }
        for id in ["", String(repeating: "x", count: RequestRules.maximumIDBytes + 1)] {
            #expect(throws: EnqueueError.self) { try RequestRules.check(id: id) }
        }
    }

    @Test("chains without steps or with an empty step are rejected")
    func emptySteps() {
        let request = TaskRequest(workerClassName: "W")
        #expect(throws: EnqueueError.emptyStep(chainID: "c", step: 0)) {
            try RequestRules.check(ChainSteps([]), id: "c")
        }
        #expect(throws: EnqueueError.emptyStep(chainID: "c", step: 1)) {
            try RequestRules.check(ChainSteps([[request], []]), id: "c")
        }
    }

    @Test("negative and impossible delays are rejected", arguments: [Duration.seconds(-1), .seconds(Int64.max)])
    func delays(delay: Duration) {
        #expect(throws: EnqueueError.invalidDelay(delay)) {
            try RequestRules.check(delay: delay)
        }
    }

    @Test("a chain's members are named by step and index")
    func memberNames() {
        let request = TaskRequest(workerClassName: "W")
        let ids = ChainSteps([[request], [request, request]]).members(chainID: "raw-42").map(\.id)
        #expect(ids == ["raw-42/0.0", "raw-42/1.0", "raw-42/1.1"])
    }

    @Test("transfer keys read back, whatever the work's id", arguments: ["a", "a#1", "a/b#", "🚚#2#3"])
    func transferKeys(id: String) {
        let key = TransferKey(workID: id, generation: 7)
        #expect(TransferKey(key.description) == key)
        #expect(TransferKey("no generation") == nil)
        #expect(TransferKey("#1") == nil)
    }
}
