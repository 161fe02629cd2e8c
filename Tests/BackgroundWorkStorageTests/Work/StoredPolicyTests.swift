import BackgroundWorkModel
import TestSupport
import Testing

@testable import BackgroundWorkStorage

/// The security policy is stored with accepted work.
struct StoredPolicyTests {
    private let folder: MemoryFolder

    init() throws { folder = try MemoryFolder() }

    private func scheduler(under policy: SecurityPolicy) async throws -> StoreScheduler {
        var settings = StoreSettings.inUTC()
        settings.securityPolicy = policy
        return try await StoreScheduler(path: folder.path + "/work", settings: settings)
    }

    private static let other: SecurityPolicy = {
        var policy = SecurityPolicy.publicInternet
        policy.allowsLoopback = true
        policy.allowedPorts = [443]
        return policy
    }()

    @Test(
        "work has the policy of the store that took it, with any other options",
        arguments: [SecurityPolicy.publicInternet, .unrestricted, other])
    func stored(policy: SecurityPolicy) async throws {
        let scheduler = try await scheduler(under: policy)
        try await scheduler.enqueue("plain", TaskRequest(workerClassName: "T"))
        try await scheduler.enqueue("tagged", TaskRequest(workerClassName: "T", retryPolicy: .never, tags: ["a"]))
        for id in ["plain", "tagged"] { #expect(try await scheduler.record(id)?.securityPolicy == policy) }
        #expect(try await scheduler.record("tagged")?.options.tags == ["a"])
        // What needs no row of its own has none.
        let extras = try SQLiteConnection(path: folder.path + "/work", mode: .readOnly).first(
            "SELECT extras FROM work WHERE id = 'plain'"
        ) { $0.optionalText(0) }
        #expect((extras.flatMap { $0 } == nil) == (policy.name != nil))
    }

    @Test(
        "a policy that cannot be read allows nothing, and not more than it did",
        arguments: ["{", "{}", #"{"policy":3}"#])
    func unreadable(extras: String) async throws {
        let scheduler = try await scheduler(under: Self.other)
        try await scheduler.enqueue("a", TaskRequest(workerClassName: "T"))
        try SQLiteConnection(path: folder.path + "/work", mode: .readWriteCreate).run(
            "UPDATE work SET extras = ?", .text(extras))
        let policy = try #require(try await scheduler.record("a")?.securityPolicy)
        #expect(policy.allowedPorts == [] && policy.allowedDirectories == [])
        #expect(!policy.allowsAnyAddress && !policy.allowsLoopback)
    }
}
