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
