import Foundation

/// The figures that are slower or faster in the second report.
///
/// Only processor times, ratios and numbers of commits are compared; when both runs had the same other build beside
/// them, by what they are to that build's, since the same work takes more processor time while neighbors use the
/// caches. A change counts when the medians differ by more than the threshold and by more than three times what the
/// rounds of both runs scatter.
struct QueueComparison {
    private enum Verdict { case slower, faster, same, unknown }

    var old: QueueReport
    var new: QueueReport
    /// In percent of the old figure.
    var threshold: Int

    var isSlower: Bool { new.rows.contains { verdict($0) == .slower } }

    var text: String {
        var lines = [Verdict.slower, .faster].flatMap { kind in
            new.rows.filter { verdict($0) == kind }.map { row in
                let (before, after) = figures(row).map { ($0.median, $1.median) } ?? (.nan, .nan)
                let change = String(format: "%+.0f %%", (after / before - 1) * 100)
                let word = kind == .slower ? "SLOWER" : "faster"
                let unit = isByOther(row) ? "x other" : row.unit.rawValue
                return "\(word): \(row.name): \(before.short) -> \(after.short) \(unit) (\(change))"
            }
        }
        let same = new.rows.filter { verdict($0) == .same }.count
        lines.append("the same within \(threshold) % and the scatter of the rounds: \(same)")
        let unknown = new.rows.filter { $0.isComparable && verdict($0) == .unknown }.map(\.name)
        if !unknown.isEmpty { lines.append("not in both runs: \(unknown.joined(separator: "; "))") }
        if old.processors != new.processors {
            lines.append("the earlier run had \(old.processors) processors, this one \(new.processors)")
        }
        return lines.joined(separator: "\n")
    }

    private func oldRow(_ row: QueueReport.Row) -> QueueReport.Row? { old.rows.first { $0.name == row.name } }

    private func isByOther(_ row: QueueReport.Row) -> Bool {
        old.against == new.against && !row.ratios.isEmpty && oldRow(row)?.ratios.isEmpty == false
    }

    /// The figures of each round, of the old run and of the new one.
    private func figures(_ row: QueueReport.Row) -> (before: [Double], after: [Double])? {
        guard row.isComparable, let earlier = oldRow(row) else { return nil }
        let figures = isByOther(row) ? (earlier.ratios, row.ratios) : (earlier.values, row.values)
        return figures.0.isEmpty || figures.1.isEmpty ? nil : figures
    }

    private func verdict(_ row: QueueReport.Row) -> Verdict {
        guard let (before, after) = figures(row) else { return .unknown }
        let scatter = (pow(before.deviation, 2) + pow(after.deviation, 2)).squareRoot()
        guard abs(after.median - before.median) > max(before.median * Double(threshold) / 100, 3 * scatter) else {
            return .same
        }
        return (after.median > before.median) == row.isBetterWhenLarger ? .faster : .slower
    }
}
