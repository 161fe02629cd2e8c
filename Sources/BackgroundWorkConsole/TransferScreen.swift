import BackgroundWorkTransfers

/// The live view: a line for each running or waiting transfer, as many as fit, and a line of totals.
package enum TransferScreen {
    private static let bytesWidth = 15
    private static let rateWidth = 10
    private static let leftWidth = 7

    /// - Parameters:
    ///   - transfers: all transfers seen so far, including the ended ones.
    ///   - width: the window's; lines are a column shorter, because a full one wraps on some terminals.
    ///   - height: the window's.
    package static func lines(_ transfers: [ShownTransfer], width: Int, height: Int) -> [String] {
        let width = max(1, width - 1)
        let open = transfers.filter { !$0.hasEnded }.sorted { (rank($0), $0.number) < (rank($1), $1.number) }
        // One line for the totals, and one for the cursor.
        let shown = open.prefix(max(0, height - 2))
        return shown.map { line($0, width: width) }
            + [TerminalText.clipped(totals(transfers, hidden: open.count - shown.count), to: width)]
    }

    private static func rank(_ transfer: ShownTransfer) -> Int {
        switch transfer.phase {
        case .running: 0
        case .finishing: 1
        case .waiting: 2
        case .paused: 3
        case .succeeded, .failed: 4
        }
    }

    /// What does not fit a narrow window is left out: first the time left, then the speed, the bar and the bytes.
    package static func line(_ transfer: ShownTransfer, width: Int) -> String {
        let percent = TerminalText.fitted(Quantity.percent(transfer.fraction), to: 4, alignsRight: true)
        var parts = [percent]
        var used = 4
        func add(_ text: String, _ columns: Int, from least: Int, alignsRight: Bool = true) {
            guard width >= least else { return }
            parts.append(TerminalText.fitted(text, to: columns, alignsRight: alignsRight))
            used += columns + 1
        }
        add(Quantity.text(transfer.bytes, of: transfer.totalBytes), bytesWidth, from: 36)
        if case .running = transfer.phase {
            add(Quantity.rate(transfer.bytesPerSecond), rateWidth, from: 60)
            add(transfer.timeLeft.map(TimeText.text) ?? "", leftWidth, from: 70)
        } else {
            let room = (width >= 60 ? rateWidth : 0) + (width >= 70 ? leftWidth + 1 : 0)
            add(shortWords(transfer.phase), room, from: 60, alignsRight: false)
        }
        let rest = max(0, width - used - 1)
        let bar = width >= 48 ? max(8, min(30, rest / 2)) : 0
        if bar > 0 { parts.insert(ProgressBar.text(transfer.fraction, width: bar), at: 0) }
        let name = max(0, rest - (bar > 0 ? bar + 1 : 0))
        parts.insert(TerminalText.fitted(transfer.name, to: name), at: 0)
        return TerminalText.clipped(parts.joined(separator: " "), to: width)
    }

    private static func shortWords(_ phase: TransferPhase) -> String {
        guard case .waiting(let reason) = phase else { return PhaseText.words(phase) }
        return switch reason {
        case .host: "waits: host"
        case .slot: "waits: slot"
        case .earliestBegin: "waits: start"
        case .network: "waits: network"
        case .unmeteredNetwork: "waits: unmetered"
        case .power: "waits: power"
        case .nextTry: "waits: retry"
        }
    }

    static func totals(_ transfers: [ShownTransfer], hidden: Int) -> String {
        let ended = transfers.count { $0.phase == .succeeded }
        let failed = transfers.count { if case .failed = $0.phase { true } else { false } }
        var parts = ["\(ended) of \(transfers.count) done"]
        if failed > 0 { parts.append("\(failed) failed") }
        if hidden > 0 { parts.append("\(hidden) not shown") }
        let counted = transfers.filter { if case .failed = $0.phase { false } else { true } }
        let bytes = counted.reduce(Int64(0)) { $0 + $1.bytes }
        let totals = counted.map(\.totalBytes)
        let total = totals.contains(nil) ? nil : totals.reduce(Int64(0)) { $0 + ($1 ?? 0) }
        parts.append(Quantity.text(bytes, of: total))
        let rate = transfers.reduce(Int64(0)) { $0 + ($1.phase == .running ? $1.bytesPerSecond ?? 0 : 0) }
        if rate > 0 {
            parts.append(Quantity.rate(rate))
            if let total, total > bytes {
                parts.append(TimeText.text(.seconds(Double(total - bytes) / Double(rate))) + " left")
            }
        }
        return parts.joined(separator: ", ")
    }
}

/// Progress as a bar: `[=====>    ]`.
package enum ProgressBar {
    /// - Parameters:
    ///   - fraction: from 0 to 1; `nil` while the whole is unknown: the bar is empty then.
    ///   - width: with both brackets, at least 3.
    package static func text(_ fraction: Double?, width: Int) -> String {
        let room = max(1, width - 2)
        let filled = min(room, max(0, Int((fraction ?? 0) * Double(room))))
        var bar = String(repeating: "=", count: filled)
        if filled > 0, filled < room {
            bar.removeLast()
            bar += ">"
        }
        return "[" + bar + String(repeating: " ", count: room - filled) + "]"
    }
}

/// A remaining time, in at most seven columns: `42s`, `3m07s`, `2h05m`, `4d`.
package enum TimeText {
    /// Rounded up, so that nothing is left "in 0s".
    package static func text(_ duration: Duration) -> String {
        let (whole, attoseconds) = duration.components
        let seconds = max(0, whole) + (attoseconds > 0 && whole >= 0 ? 1 : 0)
        return switch seconds {
        case ..<60: "\(seconds)s"
        case ..<3600: "\(seconds / 60)m\(twoDigits(seconds % 60))s"
        case ..<172_800: "\(seconds / 3600)h\(twoDigits(seconds / 60 % 60))m"
        case ..<8_640_000: "\(seconds / 86_400)d"
        default: ">99d"
        }
    }

    private static func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
