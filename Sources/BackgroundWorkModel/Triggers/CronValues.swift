/// The values that a field of a cron schedule allows: a set of numbers from 0 to 63.
struct CronValues: Sendable, Hashable {
    private var bits: UInt64 = 0

    init() {}

    /// Every `step`th number of the range, beginning with its first.
    init(_ range: ClosedRange<Int>, step: Int = 1) {
        for value in stride(from: range.lowerBound, through: range.upperBound, by: step) { insert(value) }
    }

    var isEmpty: Bool { bits == 0 }

    func contains(_ value: Int) -> Bool { bits >> UInt64(value) & 1 == 1 }

    /// The lowest that is not below `value`.
    func first(from value: Int = 0) -> Int? {
        // A shift by 64 or more gives 0.
        let remaining = (bits >> UInt64(value)) << UInt64(value)
        return remaining == 0 ? nil : remaining.trailingZeroBitCount
    }

    mutating func insert(_ value: Int) { bits |= 1 << UInt64(value) }

    func union(_ other: CronValues) -> CronValues { CronValues(bits: bits | other.bits) }

    func intersection(_ other: CronValues) -> CronValues { CronValues(bits: bits & other.bits) }

    private init(bits: UInt64) { self.bits = bits }
}
