import Foundation
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
    private static let total = Int64(chains * steps)

    let place: Workplace
    private(set) var deaths: [Death] = []

    init() throws { place = try Workplace() }

    var log: [String] { place.lines(of: place.directory + "/steps.log") }

    /// Starts a host, and kills it when the log has grown by so many lines and no work is left that has died twice:
    /// such work is run alone, one item between others, and with a third death it would be taken for the cause.
    ///
    /// - Returns: false when all the work was done before it could be killed.
    mutating func die(after growth: Int) async throws -> Bool {
        let target = log.count + growth
        let host = try start()
        var isDone = false
        try await place.wait(for: "\(growth) more steps") {
            isDone = place.query("work.sqlite", "SELECT max(seq) FROM events") { $0.int(0) } == [Self.total]
            return isDone || (log.count >= target && !hasSuspects)
        }
        if isDone {
            #expect(await host.nextChange() == .exited(0), "\(place.logs)")
            return false
        }
        await host.killAndWait()
        let finished = try #require(place.query("work.sqlite", "SELECT work_id FROM events") { $0.text(0) })
        let running = try #require(
            place.query("work.sqlite", "SELECT id FROM work WHERE state = 2") { $0.text(0) })
        deaths.append(Death(lines: log.count, finished: Set(finished), running: Set(running)))
        return true
    }

    private var hasSuspects: Bool {
        place.query("work.sqlite", "SELECT 1 FROM work WHERE deaths >= 2 AND state IN (1, 2) LIMIT 1") { _ in true }
            != []
    }

    func finish() async throws {
        let host = try start()
        #expect(await host.nextChange() == .exited(0), "\(place.logs)")
    }

    private func start() throws -> ChildProcess {
        try ChildProcess(
            Programs.host, ["chains", place.directory, "\(Self.chains)", "\(Self.steps)"],
            environment: ProcessInfo.processInfo.environment, log: place.hostLog)
    }
}
