import Foundation
import TestSupport
import Testing

/// A hundred chains of a hundred steps in a host that is killed again and again, and what its deaths left.
struct ChainRun {
    /// What was on disk when the host was dead.
    struct Death {
        /// How many lines the log had.
        var lines: Int
        /// The members with an event.
        var finished: Set<String>
        /// The members that ran, by the database.
        var running: Set<String>
    }

    static let chains = 100
    static let steps = 100

    let place: Workplace
    private(set) var deaths: [Death] = []

    init() throws { place = try Workplace() }

    var log: [String] { place.lines(of: place.directory + "/steps.log") }

    /// Starts a host, and kills it when the log has grown by so many lines. It has come to a halt there, however slowly
    /// this process notices.
    mutating func die(after growth: Int) async throws {
        let target = log.count + growth
        let host = try start(limit: growth)
        try await place.wait(for: "\(growth) more steps") { log.count >= target }
        await host.killAndWait()
        let finished = try #require(place.query("work.sqlite", "SELECT work_id FROM events") { $0.text(0) })
        let running = try #require(
            place.query("work.sqlite", "SELECT id FROM items WHERE state = 2") { $0.text(0) })
        deaths.append(Death(lines: log.count, finished: Set(finished), running: Set(running)))
    }

    func finish() async throws {
        let host = try start(limit: .max)
        #expect(await host.nextChange() == .exited(0), "\(place.logs)")
    }

    private func start(limit: Int) throws -> ChildProcess {
        try ChildProcess(
            Programs.host, ["chains", place.directory, "\(Self.chains)", "\(Self.steps)", "\(limit)"],
            environment: ProcessInfo.processInfo.environment, log: place.hostLog)
    }
}
