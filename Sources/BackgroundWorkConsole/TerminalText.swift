/// Text as a terminal shows it: measured in columns, and without characters that would control the terminal.
package enum TerminalText {
    /// How many columns it takes.
    package static func width(_ text: some StringProtocol) -> Int { text.reduce(0) { $0 + width($1) } }

    /// How many columns a character takes: none, one, or two for East Asian wide ones and pictures.
    package static func width(_ character: Character) -> Int {
        guard let first = character.unicodeScalars.first else { return 0 }
        switch first.properties.generalCategory {
        case .control, .format, .nonspacingMark, .enclosingMark, .surrogate: return 0
        default: break
        }
        let isPicture = character.unicodeScalars.contains { $0.value == 0xfe0f || isWide($0.value) }
        return isPicture ? 2 : 1
    }

    /// With control characters, and those that change the writing direction, replaced: a server or a file's name cannot
    /// move the cursor.
    package static func harmless(_ text: some StringProtocol) -> String {
        var clean = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .surrogate: clean.append("?")
            // A joiner combines the parts of one emoji.
            case .format where scalar.value != 0x200d: clean.append("?")
            default: clean.append(scalar)
            }
        }
        return String(clean)
    }

    /// At most `columns` columns of it; a truncated text ends in `…`.
    package static func clipped(_ text: String, to columns: Int) -> String {
        if width(text) <= columns { return text }
        guard columns > 0 else { return "" }
        var kept = ""
        var used = 0
        for character in text {
            let more = width(character)
            if used + more > columns - 1 { break }
            kept.append(character)
            used += more
        }
        return kept + "…"
    }

    /// Padded or truncated to exactly `columns` columns.
    package static func fitted(_ text: String, to columns: Int, alignsRight: Bool = false) -> String {
        let text = clipped(text, to: columns)
        let blanks = String(repeating: " ", count: max(0, columns - width(text)))
        return alignsRight ? blanks + text : text + blanks
    }

    /// What Unicode calls wide or fullwidth (https://www.unicode.org/reports/tr11/), by block, and the pictures that
    /// terminals show so.
    private static func isWide(_ value: UInt32) -> Bool {
        switch value {
        case 0x1100...0x115f, 0x231a...0x231b, 0x23e9...0x23ec, 0x2e80...0x303e, 0x3041...0x33ff, 0x3400...0x4dbf,
            0x4e00...0x9fff, 0xa000...0xa4cf, 0xa960...0xa97f, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe30...0xfe6f,
            0xff00...0xff60, 0xffe0...0xffe6, 0x1f1e6...0x1f1ff, 0x1f300...0x1f64f, 0x1f680...0x1f6ff,
            0x1f900...0x1f9ff, 0x20000...0x3fffd:
            true
        default: false
        }
    }
}

/// Draws lines over those drawn before, without touching what stands above them.
package struct Repaint {
    private var drawn: [String] = []

    package init() {}

    package static let hideCursor = "\u{1b}[?25l"
    package static let showCursor = "\u{1b}[?25h"

    /// The text to write to replace the previous lines by these. The cursor is left at the end of the last one.
    ///
    /// - Parameter width: the window's now. One that has become narrower has broken lines up, so there are more rows to
    ///   overwrite.
    package mutating func sequence(_ lines: [String], width: Int) -> String {
        let rows = drawn.reduce(0) { $0 + max(1, (TerminalText.width($1) + max(1, width) - 1) / max(1, width)) }
        drawn = lines
        let back = rows > 1 ? "\u{1b}[\(rows - 1)A" : ""
        return "\r" + back + lines.map { $0 + "\u{1b}[K" }.joined(separator: "\r\n") + "\u{1b}[J"
    }
}
