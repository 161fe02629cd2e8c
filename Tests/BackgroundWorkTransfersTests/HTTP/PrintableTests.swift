import BackgroundWorkTransfers
import Testing

@Suite("Text from outside in messages")
struct PrintableTests {
    @Test("control characters, line breaks of every kind and directions are replaced")
    func controls() {
        #expect("a\u{1b}[31m\r\nb\u{0}\u{7f}".printable == "a?[31m??b??")
        #expect("ä\u{85}\u{9b}\u{2028}\u{202e}\u{200f}🙂".printable == "ä?????🙂")
        #expect("plain äöü".printable == "plain äöü")
    }

    @Test("long text is cut between words, since a part of a secret would not be recognized")
    func cut() {
        #expect("one two three".printable(atMost: 13) == "one two three")
        #expect("one two three".printable(atMost: 12) == "one two…")
        #expect("one two three".printable(atMost: 7) == "one two…")
        #expect("onetwothree".printable(atMost: 5) == "…")
    }

    @Test("a URL and a method are cut, and have no control characters")
    func url() {
        let long = TransferURL(
            "https://h/" + String(repeating: "ä", count: 35_000) + "?q", method: "GET\u{1b}[31m\nFAKE")
        #expect(long.label.hasPrefix("GET?[31m?FAKE https://h/ää") && long.label.hasSuffix("ä…"))
        #expect(long.label.utf8.count < 1100)
        let method = TransferURL("https://h/?q", method: String(repeating: "M", count: 9999)).label
        #expect(method.hasSuffix("M… https://h/?…") && method.utf8.count < 100)
    }
}
