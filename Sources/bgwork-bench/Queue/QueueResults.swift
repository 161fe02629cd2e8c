import Foundation

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
