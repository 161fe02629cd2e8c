import Testing

@testable import BackgroundWorkExchange

/// On a clock that the test sets.
struct BandwidthLimitTests {
    /// A transfer that moves at most so many bytes a second.
    final class Mover {
        let bytesPerSecond: Double
        var moved = 0
        var largestPiece = 0

        init(bytesPerSecond: Double = .infinity) { self.bytesPerSecond = bytesPerSecond }
    }

    private let start = SuspendingClock.now

    /// Has all of them move what they may for a while. `lateness`: by how much, in seconds, each turn comes too late.
    private func move(
        _ movers: [Mover], under limit: BandwidthLimit, seconds: Double, from offset: Double = 0,
        lateness: (Int) -> Double = { _ in 0 }
    ) {
        var now = start + .seconds(offset)
        let end = now + .seconds(seconds)
        var turn = 0
        while now <= end {
            let elapsed = (now - start) / .seconds(1) - offset
            for mover in movers {
                let isSlow = mover.bytesPerSecond.isFinite
                let wanted = isSlow ? Int(min(mover.bytesPerSecond * elapsed, 1e9)) - mover.moved : 16_384
                while wanted > 0 {
                    let allowed = limit.allowance(for: ObjectIdentifier(mover), wanting: wanted, now: now)
                    if allowed == 0 { break }
                    limit.take(allowed, by: ObjectIdentifier(mover))
                    mover.moved += allowed
                    mover.largestPiece = max(mover.largestPiece, allowed)
                    if isSlow { break }
                }
            }
            now = max(limit.nextRound, now + .milliseconds(1)) + .seconds(lateness(turn))
            turn += 1
        }
    }

    @Test(
        "over three seconds the rate is held, and never more than that",
        arguments: [10_000, 100_000, 1_000_000, 5_000_000, 100_000_000])
    func rate(bytesPerSecond: Int64) {
        for count in [1, 3, 16] {
            let movers = (0..<count).map { _ in Mover() }
            move(movers, under: BandwidthLimit(bytesPerSecond: bytesPerSecond, now: start), seconds: 3)
            let moved = movers.reduce(0) { $0 + $1.moved }
            #expect(moved <= 3 * Int(bytesPerSecond) && moved >= Int(2.85 * Double(bytesPerSecond)))
            let each = moved / count
            #expect(movers.allSatisfy { abs($0.moved - each) <= max(each / 20, 64) }, "\(movers.map(\.moved))")
        }
    }

    @Test("slow rates come in small pieces")
    func smallPieces() {
        let mover = Mover()
        move([mover], under: BandwidthLimit(bytesPerSecond: 10_000, now: start), seconds: 3)
        #expect(mover.largestPiece <= 1000)
    }

    @Test("a late round is made up for")
    func lateness() {
        let mover = Mover()
        move(
            [mover], under: BandwidthLimit(bytesPerSecond: 5_000_000, now: start), seconds: 3,
            lateness: { $0.isMultiple(of: 7) ? 0.2 : 0.01 })
        #expect(mover.moved <= 15_000_000 && mover.moved >= 13_500_000)
    }

    @Test("the share that one transfer does not use goes to the others")
    func unequal() {
        let movers = [Mover(bytesPerSecond: 10_000), Mover(), Mover()]
        move(movers, under: BandwidthLimit(bytesPerSecond: 910_000, now: start), seconds: 3)
        #expect(movers[0].moved >= 28_000)
        for mover in movers.dropFirst() { #expect(mover.moved >= 1_260_000 && mover.moved <= 1_420_000) }
    }

    @Test("idle time does not cause a burst", arguments: [0.0, 3, 3600])
    func idleness(seconds: Double) {
        let limit = BandwidthLimit(bytesPerSecond: 1_000_000, now: start)
        move([Mover()], under: limit, seconds: 1)
        let mover = Mover()
        move([mover], under: limit, seconds: 1, from: 1 + seconds)
        #expect(mover.moved <= 1_050_000)
    }

    @Test("a transfer that is slower than the limit does not cause a burst either")
    func slowness() {
        let limit = BandwidthLimit(bytesPerSecond: 1_000_000, now: start)
        move([Mover(bytesPerSecond: 100_000)], under: limit, seconds: 5)
        let mover = Mover()
        move([mover], under: limit, seconds: 1, from: 5)
        #expect(mover.moved <= 1_050_000)
    }

    @Test("a limit of a byte a second lets a byte through each second")
    func least() {
        let mover = Mover()
        move([mover], under: BandwidthLimit(bytesPerSecond: 1, now: start), seconds: 10)
        #expect((9...10).contains(mover.moved))
    }

    @Test("a clock that is set back lets nothing through")
    func setBack() {
        let limit = BandwidthLimit(bytesPerSecond: 1_000_000, now: start)
        #expect(limit.allowance(for: ObjectIdentifier(limit), wanting: 100, now: start - .seconds(5)) == 0)
    }
}
