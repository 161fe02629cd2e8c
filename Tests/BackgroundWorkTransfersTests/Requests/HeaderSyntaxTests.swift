import BackgroundWorkTransfers
import Testing

@Suite("What a header may contain")
struct HeaderSyntaxTests {
    @Test("of ASCII, letters, digits and fifteen signs make a token, and nothing else does")
    func tokenCharacters() {
        let allowed = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
        for byte in UInt8(0)...0x7f {
            let character = Character(Unicode.Scalar(byte))
            #expect(HeaderSyntax.isToken("X\(character)") == allowed.contains(character), "byte \(byte)")
        }
    }

    @Test("empty text is not a token, and neither is text with characters beyond ASCII")
    func noTokens() {
        #expect(!HeaderSyntax.isToken(""))
        #expect(!HeaderSyntax.isToken("X-Größe"))
    }

    @Test(
        "line breaks and NUL are not allowed in a value, whatever is beside them",
        arguments: ["\r", "\n", "\r\n", "\0"])
    func severalLines(ending: String) {
        #expect(!HeaderSyntax.isOneLine("value\(ending)"))
        #expect(!HeaderSyntax.isOneLine("\(ending)value"))
        #expect(!HeaderSyntax.isOneLine("\(ending)\u{301}"))
    }

    @Test("everything else is one line", arguments: ["", "text/plain; q=0.5", "tab\there", "Größe", "a\u{85}b\u{7f}"])
    func oneLine(text: String) { #expect(HeaderSyntax.isOneLine(text)) }
}
