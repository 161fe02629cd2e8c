import Foundation

/// What a run of `queue` has found, as it is written for `--compare`.
struct QueueReport: Codable {
    struct Row: Codable {
        var group: String
        /// Group and title, so that two rows of one report never have the same.
        var name: String
        var title: String
        var unit: QueueRow.Unit
        var isBetterWhenLarger: Bool
        var isComparable: Bool
        /// One for each round.
        var values: [Double]
        var median: Double?
        var other: Double?
        /// This build's figure by the other's, for each round that has both, and the median of that.
        var ratios: [Double]
        var ratio: Double?
        var goal: String?
        var isGoalMet: Bool?
    }

    var processors = ProcessInfo.processInfo.activeProcessorCount
    var rounds: Int
    /// The program of the other build.
    var against: String?
    var rows: [Row]

    init(rows: [QueueRow], results: QueueResults, rounds: Int, against: String?) {
        self.rounds = rounds
        self.against = against
        var parent = ""
        self.rows = rows.map { row in
            func median(_ values: [Double]) -> Double? { values.isEmpty ? nil : values.median }
            if !row.title.hasPrefix(" ") { parent = row.title }
            let detail = row.title.trimmingCharacters(in: .whitespaces)
            let values = results.values(row.quantity, build: .this, rounds: rounds)
            let ratios = results.ratios(row.quantity, rounds: rounds)
            let ratio = median(ratios)
            return Row(
                group: row.group, name: detail == parent ? parent : "\(parent): \(detail)", title: row.title,
                unit: row.unit, isBetterWhenLarger: row.isBetterWhenLarger, isComparable: row.isComparable,
                values: values, median: median(values),
                other: median(results.values(row.quantity, build: .other, rounds: rounds)), ratios: ratios,
                ratio: ratio,
                goal: row.goal?.text, isGoalMet: row.goal?.isMet(value: median(values), ratio: ratio))
        }
    }

    init(path: String) throws {
        self = try JSONDecoder().decode(QueueReport.self, from: Data(contentsOf: URL(filePath: path)))
    }

    var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
        }
    }
}

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
