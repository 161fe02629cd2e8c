import BackgroundWorkSystem

/// Limits a body to a number of bytes a second, in pieces of a fiftieth of a second by default.
struct Pace {
    let pieceBytes: Int
    private let bytesPerSecond: Int
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private var sent = 0

    init(bytesPerSecond: Int, pieceBytes: Int? = nil) {
        self.bytesPerSecond = max(1, bytesPerSecond)
        self.pieceBytes = max(1, pieceBytes ?? bytesPerSecond / 50)
        start = clock.now
    }

    /// Blocks the calling thread until the next piece is due.
    mutating func wait(afterSending bytes: Int) {
        sent += bytes
        let due = start.advanced(by: .seconds(1) * (Double(sent) / Double(bytesPerSecond)))
        let left = clock.now.duration(to: due)
        if left > .zero { Self.pause(for: left) }
    }

    private static func pause(for duration: Duration) {
        let (seconds, attoseconds) = duration.components
        var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        nanosleep(&time, nil)
    }
}

extension Behaviour {
    /// The pace of a body that starts, or continues, now: it does not make up for the time that it was held.
    var pace: Pace? { bytesPerSecond.map { Pace(bytesPerSecond: $0, pieceBytes: pieceBytes) } }
}
