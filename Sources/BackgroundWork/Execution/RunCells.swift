/// Places in which begins are noted, given out as low as possible.
struct RunCells: Sendable {
    private var freed: [Int] = []
    private var next = 0

    mutating func take() -> Int {
        if let cell = freed.popLast() { return cell }
        defer { next += 1 }
        return next
    }

    mutating func free(_ cell: Int) { freed.append(cell) }
}
