import BackgroundWork
import BackgroundWorkTesting
import Testing

/// Queries of stored work.
struct WorkQueryTests {
    var fixture: SchedulerFixture

    init() throws { fixture = try SchedulerFixture() }

    func request(_ worker: String = "W", tags: Set<String> = [], queue: String = "default") -> TaskRequest {
        TaskRequest(workerClassName: worker, tags: tags, queue: queue, metadata: ["user": "Ada"])
    }

    @Test("a query joins its conditions, and continues page by page")
    func query() async throws {
        let scheduler = try fixture.open()
        let results = try await scheduler.enqueue(
            contentsOf: (0..<10).map {
                TaskSubmission(
                    request(
                        $0 < 5 ? "A" : "B", tags: $0 % 2 == 0 ? ["even", "n\($0)"] : [],
                        queue: $0 == 9 ? "q" : "default"),
                    id: "w\($0)")
            })
        #expect(results.count == 10)
        try await scheduler.beginWith(request()).then(request()).enqueue(id: "c")
        func ids(_ query: WorkQuery) async throws -> [String] { try await scheduler.infos(matching: query).map(\.id) }
        #expect(try await ids(WorkQuery(tags: ["even"], workerClassNames: ["A"])) == ["w0", "w2", "w4"])
        #expect(try await ids(WorkQuery(ids: ["w1", "w9", "nobody"])) == ["w1", "w9"])
        #expect(try await ids(WorkQuery(queues: ["q"])) == ["w9"])
        #expect(try await ids(WorkQuery(states: [.blocked])) == ["c/1.0"])
        #expect(try await ids(WorkQuery(chainID: "c")) == ["c/0.0", "c/1.0"])
        var query = WorkQuery(limit: 5)
        var found: [String] = []
        while case let page = try await scheduler.infos(matching: query), !page.isEmpty {
            found += page.map(\.id)
            query.after = page.last?.cursor
        }
        #expect(found == (0..<10).map { "w\($0)" } + ["c/0.0", "c/1.0"])
        let info = try #require(try await scheduler.info(id: "w0"))
        #expect(info.tags == ["even", "n0"])
        #expect(info.metadata == ["user": "Ada"])
        #expect(try await scheduler.explain(id: "w0")?.reasons == [.schedulerNotRunning])
        #expect(try await scheduler.explain(id: "c/1.0")?.reasons == [.predecessorsUnfinished(["c/0.0"])])
        #expect(try await scheduler.explain(id: "nobody") == nil)
        await scheduler.shutdown()
    }
}
