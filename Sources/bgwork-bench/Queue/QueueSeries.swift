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
