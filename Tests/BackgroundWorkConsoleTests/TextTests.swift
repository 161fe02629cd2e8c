import BackgroundWorkConsole
import Testing

/// Sizes, times and widths.
struct TextTests {
    @Test(
        "bytes are told in decimal units, cut to one digit",
        arguments: [
            (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (999_999, "999.9 kB"), (12_345_678, "12.3 MB"),
            (50_000_000_000, "50.0 GB"), (-5, "0 B"), (Int64.max, "9223372.0 TB"),
        ] as [(Int64, String)])
    func bytes(bytes: Int64, text: String) { #expect(Quantity.text(bytes) == text) }

    @Test("a part is told in the unit of the whole")
    func part() {
        #expect(Quantity.text(300_000, of: 50_000_000) == "0.3/50.0 MB")
        #expect(Quantity.text(300_000, of: nil) == "300.0 kB")
        #expect(Quantity.percent(0.9999) == "99%")
        #expect(Quantity.percent(nil).isEmpty)
        #expect(Quantity.rate(nil).isEmpty)
        #expect(Quantity.rate(3_100_000) == "3.1 MB/s")
    }

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

    @Test("what would move the cursor or turn the writing is replaced")
    func harmless() {
        #expect(TerminalText.harmless("a\u{1b}[2Jb\nc\u{202e}d\u{9b}e") == "a?[2Jb?c?d?e")
        #expect(TerminalText.harmless("👩‍👧") == "👩‍👧")
    }
}
