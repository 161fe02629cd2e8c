import Foundation

/// A report as aligned lines of at most 100 characters.
struct QueueTable {
    var report: QueueReport

    var text: String {
        let lines = report.rows.filter { $0.median != nil || $0.other != nil }.map { row in
            Self.line(
                row.title, row.unit.rawValue, row.median.map(Self.figure), row.other.map(Self.figure),
                row.ratio.map(\.short), (row.isGoalMet == false ? "MISSED " : "") + (row.goal ?? ""))
        }
        let head = Self.line("", "", "this build", "other build", "this/other", "goal")
        return ([head] + lines).joined(separator: "\n")
    }

    private static func line(
        _ title: String, _ unit: String, _ this: String?, _ other: String?, _ ratio: String?, _ goal: String
    ) -> String {
        let columns = [(unit, 10), (this ?? "-", 11), (other ?? "-", 12), (ratio ?? "-", 11)]
            .map { text, width in String(repeating: " ", count: max(1, width - text.count)) + text }
        let title = title + String(repeating: " ", count: max(0, 35 - title.count))
        return title + columns.joined() + (goal.isEmpty ? "" : "  " + goal)
    }

    /// With as many digits as say something.
    private static func figure(_ value: Double) -> String {
        switch value {
        case 1000...: "\(Int(value.rounded()))"
        case 100...: String(format: "%.0f", value)
        case 10...: String(format: "%.1f", value)
        default: String(format: "%.2f", value)
        }
    }
}
