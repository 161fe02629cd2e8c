import Testing

@testable import BackgroundWorkModel

struct JSONSyntaxTests {
    @Test(
        "accepts what RFC 8259 calls a JSON text",
        arguments: [
            "{}", "[]", "null", "true", "false", "0", "-0.5e+10", "\"\"", " { \"a\" : [ 1 , 2 ] , \"b\" : null } ",
            #""\u00e9 \\ \/ \n""#, "[[[[]]]]", "\"ü 🚚\"",
        ])
    func accepted(text: String) {
        #expect(JSONSyntax.complaint(about: text) == nil)
    }

    @Test(
        "refuses everything else, and says where",
        arguments: [
            "", " ", "{", "}", "[1,]", "{\"a\":}", "{\"a\" 1}", "{a:1}", "{\"a\":1,}", "nul", "01", "1.", "-", "1e",
            "\"", "\"\\x\"", "\"\\u12g4\"", "\"a\nb\"", "{} {}", "'a'", "[1 2]", "NaN",
        ])
    func refused(text: String) {
        #expect(JSONSyntax.complaint(about: text) != nil)
    }

    @Test("unlimited nesting is rejected instead of exhausting the stack")
    func depth() {
        let deep = String(repeating: "[", count: 100_000)
        #expect(JSONSyntax.complaint(about: deep)?.contains("512") == true)
        #expect(
            JSONSyntax.complaint(
                about: String(repeating: "[", count: 512) + String(repeating: "]", count: 512)) == nil)
    }
}
