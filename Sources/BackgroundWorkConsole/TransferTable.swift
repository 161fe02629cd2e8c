import BackgroundWorkTransfers

/// Transfers as a table of text that fits a number of columns, a line for each.
package struct TransferTable {
    private struct Column: Sendable {
        var title: String
        /// The minimum width; `nil`: it keeps the width of its content.
        var minimum: Int?
        var alignsRight = false
        var text: @Sendable (ShownTransfer) -> String
    }

    private static let columns = [
        Column(title: "NO", alignsRight: true) { "\($0.number)" },
        Column(title: "ID", minimum: 6) { TerminalText.harmless($0.id) },
        Column(title: "DIR") { $0.isUpload ? "up" : "down" },
        Column(title: "PHASE", minimum: 9) { PhaseText.words($0.phase) },
        Column(title: "BYTES", alignsRight: true) { Quantity.text($0.bytes, of: $0.totalBytes) },
        Column(title: "%", alignsRight: true) { Quantity.percent($0.fraction) },
        Column(title: "RATE", alignsRight: true) { Quantity.rate($0.bytesPerSecond) },
        Column(title: "NAME", minimum: 6) { $0.name },
    ]

    /// A line of titles, and one for each transfer. Truncated text is marked.
    package static func lines(_ transfers: [ShownTransfer], width: Int) -> [String] {
        let rows = transfers.map { transfer in columns.map { $0.text(transfer) } }
        var widths = columns.indices.map { index in
            max(columns[index].title.count, rows.map { TerminalText.width($0[index]) }.max() ?? 0)
        }
        while widths.reduce(widths.count - 1, +) > width, let widest = widestFlexible(widths) { widths[widest] -= 1 }
        return ([columns.map(\.title)] + rows).map { row in
            let cells = row.indices.map {
                TerminalText.fitted(row[$0], to: widths[$0], alignsRight: columns[$0].alignsRight)
            }
            var line = TerminalText.clipped(cells.joined(separator: " "), to: width)
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    private static func widestFlexible(_ widths: [Int]) -> Int? {
        columns.indices.filter { index in columns[index].minimum.map { widths[index] > $0 } ?? false }
            .max { widths[$0] < widths[$1] }
    }
}
