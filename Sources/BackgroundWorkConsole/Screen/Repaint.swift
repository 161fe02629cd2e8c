/// Draws lines over those drawn before, without touching what stands above them.
package struct Repaint {
    private var drawn: [String] = []

    package init() {}

    package static let hideCursor = "\u{1b}[?25l"
    package static let showCursor = "\u{1b}[?25h"

    /// What to write to have these lines in the place of those before. The cursor is left at the end of the last one.
    ///
    /// - Parameter width: the window's now. One that has become narrower has broken lines up, so there is more to go
    ///   back over.
    package mutating func sequence(_ lines: [String], width: Int) -> String {
        let rows = drawn.reduce(0) { $0 + max(1, (TerminalText.width($1) + max(1, width) - 1) / max(1, width)) }
        drawn = lines
        let back = rows > 1 ? "\u{1b}[\(rows - 1)A" : ""
        return "\r" + back + lines.map { $0 + "\u{1b}[K" }.joined(separator: "\r\n") + "\u{1b}[J"
    }
}
