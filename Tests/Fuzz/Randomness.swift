/// Numbers that a seed determines (SplitMix64), so that each case can be made again.
struct Randomness: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64, case number: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 &+ number &* 0xbf58_476d_1ce4_e5b9 }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    mutating func number(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    /// True in one of so many cases.
    mutating func oneIn(_ count: Int) -> Bool { number(below: count) == 0 }

    mutating func one<Choice>(of choices: [Choice]) -> Choice { choices[number(below: choices.count)] }
}
