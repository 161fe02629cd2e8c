import Foundation

/// A workload that is repeated each round, by this build and by the other one; its figures are what the rows are made of.
struct QueueSeries {
    /// The directory that the part begins with.
    enum Start: Hashable {
        /// One that does not exist yet.
        case new
        /// One with so many pending requests, which is kept for all rounds.
        case filled(Int)
    }

    var name: String
    var part: QueuePart
    var options: [String] = []
    var start = Start.new
    /// How many processes run it in one round; the medians of their figures are the round's.
    var processes = 1
    /// Slow ones are not repeated in each round.
    var mostRounds = Int.max
    /// Whether it is the same in all builds, because none of the package's scheduler is in it.
    var isPeer = false

    static let all: [QueueSeries] = [
        .init(name: "plain", part: .throughput),
        .init(name: "rich", part: .throughput, options: ["rich=1"]),
        .init(name: "pair", part: .pair),
        .init(
            name: "rich-serial", part: .throughput, options: ["rich=1", "window=1", "requests=1000"],
            mostRounds: 3),
        .init(name: "callers-64", part: .throughput, options: ["callers=64"]),
        .init(name: "callers-8", part: .throughput, options: ["callers=8", "requests=5000"]),
        .init(name: "bare", part: .bare, isPeer: true),
        .init(name: "single", part: .single),
        .init(name: "idle", part: .idle),
        .init(name: "chain", part: .chain),
        .init(name: "parallel", part: .parallel),
        .init(name: "opening-new", part: .opening, processes: 5),
        .init(name: "opening-existing", part: .opening, start: .filled(1), processes: 5),
        .init(name: "opening-pending", part: .opening, start: .filled(100_000), processes: 5),
        .init(name: "ids", part: .identifiers, start: .filled(500_000)),
        .init(name: "large", part: .throughput, options: ["requests=100000"], mostRounds: 1),
    ]

    /// Not a part of this program: see ``HueyPeer``.
    static let huey = "huey"
}

/// What the series have given so far, by build and round.
struct QueueResults {
    enum Build { case this, other }

    private struct Key: Hashable {
        var build: Build
        var series: String
        var round: Int
    }

    private var figures: [Key: [String: Double]] = [:]

    mutating func add(_ new: [String: Double], of series: String, build: Build, round: Int) {
        figures[Key(build: build, series: series, round: round)] = new.filter { $0.value.isFinite }
    }

    /// A figure of each round that has it.
    func values(_ quantity: QueueQuantity, build: Build, rounds: Int) -> [Double] {
        (0..<rounds).compactMap { value(quantity, build: build, round: $0) }
    }

    /// This build's figure by the other's, for each round that has both.
    func ratios(_ quantity: QueueQuantity, rounds: Int) -> [Double] {
        (0..<rounds).compactMap { round in
            guard let ours = value(quantity, build: .this, round: round),
                let theirs = value(quantity, build: .other, round: round), theirs != 0
            else { return nil }
            return ours / theirs
        }
    }

    private func value(_ quantity: QueueQuantity, build: Build, round: Int) -> Double? {
        switch quantity {
        case .figure(let name, let series):
            return figures[Key(build: build, series: series, round: round)]?[name]
        case .quotient(let dividend, let divisor):
            guard let dividend = value(dividend, build: build, round: round),
                let divisor = value(divisor, build: build, round: round), divisor != 0
            else { return nil }
            return dividend / divisor
        }
    }
}
