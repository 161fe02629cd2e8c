import BackgroundWorkTransfers

/// The changes that are printed as lines: a change of phase, and each tenth of the progress.
package struct ChangeLines {
    private struct Said: Equatable {
        var phase: String
        var tenth: Int?
    }

    private var said: [Int64: Said] = [:]

    package init() {}

    /// A line without control characters; `nil` if there is no change to print.
    package mutating func line(for transfer: ShownTransfer) -> String? {
        let now = Said(
            phase: PhaseText.words(transfer.phase), tenth: transfer.fraction.map { Int($0 * 10) })
        let before = said.updateValue(now, forKey: transfer.number)
        if before == now { return nil }
        // The progress of a waiting transfer is not a change.
        if before?.phase == now.phase, transfer.phase != .running { return nil }
        var parts = ["\(transfer.number) \(transfer.name): \(now.phase)"]
        if let fraction = transfer.fraction { parts.append(Quantity.percent(fraction)) }
        if transfer.bytes > 0 || transfer.totalBytes != nil {
            parts.append(Quantity.text(transfer.bytes, of: transfer.totalBytes))
        }
        if transfer.phase == .running, transfer.bytesPerSecond != nil {
            parts.append(Quantity.rate(transfer.bytesPerSecond))
        }
        return parts.joined(separator: ", ")
    }
}
