import Foundation

/// How many bare inserts a second one thread commits, each in a transaction of its own.
struct BareInsertPart {
    private let database: BareDatabase
    private let duration: Duration

    init(_ options: PartOptions) throws {
        database = try BareDatabase(folder: options.newFolder())
        duration = .milliseconds(options.number("milliseconds", default: 1000))
    }

    func measure() throws -> [String: Double] {
        let meter = Meter()
        let end = ContinuousClock.now + duration
        var inserts = 0
        while ContinuousClock.now < end {
            try database.insert()
            inserts += 1
        }
        return meter.figures(jobs: inserts)
    }
}
