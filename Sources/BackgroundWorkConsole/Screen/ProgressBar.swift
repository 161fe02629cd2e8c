/// How far something is, as a bar: `[=====>    ]`.
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
