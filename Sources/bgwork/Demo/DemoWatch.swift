import BackgroundWorkSystem
import Foundation

/// Waits for conditions, and draws the progress of the transfer in the meantime.
struct DemoWatch {
    /// How long there may be no progress: no byte, no event. After that the demo ends.
    private static let patience = Duration.seconds(120)

    let folder: DemoFolder
    let databases: DemoDatabases
    let line: ProgressLine
    /// The file's bytes, if they are known.
    let total: Int64?

    /// Returns when the condition holds. Throws ``DemoFailure`` with the text that `mishap` returns, if any, and
    /// ``StopSignals/Stopped``.
    func until(
        _ what: String, note: String? = nil, unless mishap: () -> String? = { nil }, _ condition: () throws -> Bool
    ) async throws {
        let clock = ContinuousClock()
        var deadline = clock.now.advanced(by: Self.patience)
        var before = standing
        while true {
            try StopSignals.check()
            if try condition() { return }
            if let mishap = mishap() {
                throw DemoFailure(description: "\(mishap)\n          (while waiting for \(what))")
            }
            if let note, let bytes = folder.stagedBytes { line.show(bytes: bytes, total: total, note: note) }
            let now = standing
            if now != before { deadline = clock.now.advanced(by: Self.patience) }
            before = now
            guard clock.now < deadline else {
                throw DemoFailure(description: "timed out waiting for \(what): no progress for \(Self.patience)")
            }
            try? await clock.sleep(for: .milliseconds(20))
        }
    }

    private var standing: [Int64] { [folder.stagedBytes ?? -1, Int64((try? databases.events().count) ?? -1)] }
}

/// A progress bar that is redrawn in place on a terminal, and a line for each tenth elsewhere.
final class ProgressLine {
    private let isTerminal = isatty(STDOUT_FILENO) == 1
    private var isDrawn = false
    private var lastTenth = -1

    /// Shows the progress of the transfer. Without a total only the bytes are shown.
    func show(bytes: Int64, total: Int64?, note: String) {
        let fraction = total.map { $0 > 0 ? min(1, Double(bytes) / Double($0)) : 0 }
        if isTerminal {
            Terminal.write("\r\u{1b}[K" + Self.text(bytes: bytes, fraction: fraction, note: note, width: Self.width))
            isDrawn = true
            return
        }
        let tenth = fraction.map { Int($0 * 10) } ?? Int(bytes >> 24)
        guard tenth != lastTenth else { return }
        lastTenth = tenth
        Terminal.write(Self.text(bytes: bytes, fraction: fraction, note: note, width: 100) + "\n")
    }

    /// Prints a line; the bar is redrawn below it.
    func say(_ line: String) {
        Terminal.write((isDrawn ? "\r\u{1b}[K" : "") + line + "\n")
        isDrawn = false
    }

    /// Prints a heading and its text: on one line if that fits on a terminal, on two if not.
    func say(_ heading: String, _ text: String) { say(Self.joined(heading, text)) }

    static func joined(_ heading: String, _ text: String) -> String {
        heading.count + 1 + text.count <= 80 ? heading + " " + text : heading + "\n          " + text
    }

    private static func text(bytes: Int64, fraction: Double?, note: String, width: Int) -> String {
        let amount = ByteCount.text(bytes)
        guard let fraction else { return "  \(amount)  \(note)" }
        let percent = String(Int(fraction * 100))
        let end = " " + String(repeating: " ", count: 3 - percent.count) + percent + "%  " + amount + "  " + note
        let room = min(30, max(10, width - end.count - 5))
        let filled = Int(fraction * Double(room))
        return "  [" + String(repeating: "#", count: filled) + String(repeating: ".", count: room - filled) + "]" + end
    }

    private static var width: Int {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}
