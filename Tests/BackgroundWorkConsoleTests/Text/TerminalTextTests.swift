import BackgroundWorkConsole
import Testing

/// Times and widths.
struct TerminalTextTests {
    @Test(
        "times take no more than seven columns",
        arguments: [
            (.zero, "0s"), (.milliseconds(1), "1s"), (.seconds(59), "59s"), (.milliseconds(59_001), "1m00s"),
            (.seconds(187), "3m07s"), (.seconds(7500), "2h05m"), (.seconds(180_000), "2d"),
            (.seconds(99 * 86_400), "99d"), (.seconds(Int64.max / 2), ">99d"), (.seconds(-3), "0s"),
        ] as [(Duration, String)])
    func times(time: Duration, text: String) { #expect(TimeText.text(time) == text) }

    @Test(
        "characters have the width that terminals give them",
        arguments: [
            ("abc", 3), ("ä", 1), ("a\u{308}", 1), ("映画", 4), ("한글", 4), ("🎬", 2), ("🇨🇭", 2), ("👩‍👧", 2), ("❤️", 2),
            ("", 0),
        ])
    func widths(text: String, width: Int) { #expect(TerminalText.width(text) == width) }

    @Test("clipping never takes half of a wide character, and fitting fills up")
    func clipping() {
        #expect(TerminalText.clipped("映画の名前", to: 10) == "映画の名前")
        #expect(TerminalText.clipped("映画の名前", to: 6) == "映画…")
        #expect(TerminalText.fitted("映画の名前", to: 6) == "映画… ")
        #expect(TerminalText.fitted("ab", to: 5, alignsRight: true) == "   ab")
        #expect(TerminalText.clipped("ab", to: 1) == "…")
        #expect(TerminalText.clipped("ab", to: 0).isEmpty)
    }

    @Test("characters that would move the cursor or change the text direction are replaced")
    func harmless() {
        #expect(TerminalText.harmless("a\u{1b}[2Jb\nc\u{202e}d\u{9b}e") == "a?[2Jb?c?d?e")
        #expect(TerminalText.harmless("👩‍👧") == "👩‍👧")
    }
}
