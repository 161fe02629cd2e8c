import Foundation

/// One line of the scale benchmark's table: the same thing on a small queue and on a large one.
struct ScaleRow {
    var title: String
    var unit: String
    var small: Double
    var large: Double
    /// What counts: the ratio, or the difference in the row's unit.
    var result: Double
    var limit: Double

    static func ratio(_ title: String, small: Double, large: Double, limit: Double) -> ScaleRow {
        ScaleRow(title: title, unit: "ms", small: small, large: large, result: large / small, limit: limit)
    }

    static func difference(_ title: String, unit: String, small: Double, large: Double, limit: Double) -> ScaleRow {
        ScaleRow(title: title, unit: unit, small: small, large: large, result: large - small, limit: limit)
    }

    static let header = line("", "small", "large", "result", "limit")

    var text: String {
        let verdict = (result <= limit ? "" : "MISSED ") + Self.figure(limit)
        return Self.line(
            title, "\(Self.figure(small)) \(unit)", "\(Self.figure(large)) \(unit)", Self.figure(result), verdict)
    }

    /// The row of several runs, figure by figure.
    static func median(of rows: [ScaleRow]) -> ScaleRow? {
        guard var row = rows.first else { return nil }
        row.small = rows.map(\.small).median
        row.large = rows.map(\.large).median
        row.result = rows.map(\.result).median
        return row
    }

    private static func figure(_ value: Double) -> String { String(format: "%.3f", value) }

    private static func line(_ title: String, _ columns: String...) -> String {
        let right = columns.map { String(repeating: " ", count: max(0, 14 - $0.count)) + $0 }.joined()
        return title.padding(toLength: 54, withPad: " ", startingAt: 0) + right
    }
}
