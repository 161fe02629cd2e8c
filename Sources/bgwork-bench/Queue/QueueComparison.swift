import Foundation

/// What has become slower or faster between two reports.
///
/// Only processor times, ratios and numbers of commits are compared. A change counts when the medians differ by more
/// than the threshold and by more than three times what the rounds of both runs scatter.
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
                let before = oldRow(row)?.median ?? .nan
                let change = String(format: "%+.0f %%", ((row.median ?? .nan) / before - 1) * 100)
                let word = kind == .slower ? "SLOWER" : "faster"
                return "\(word): \(row.name): \(before.short) -> \((row.median ?? .nan).short) \(row.unit.rawValue) "
                    + "(\(change))"
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

    private func verdict(_ row: QueueReport.Row) -> Verdict {
        guard row.isComparable, let earlier = oldRow(row), let before = earlier.median, let after = row.median else {
            return .unknown
        }
        let scatter = (pow(earlier.values.deviation, 2) + pow(row.values.deviation, 2)).squareRoot()
        guard abs(after - before) > max(before * Double(threshold) / 100, 3 * scatter) else { return .same }
        return (after > before) == row.isBetterWhenLarger ? .faster : .slower
    }
}
