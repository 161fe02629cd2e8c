import BackgroundWorkFoundation
import BackgroundWorkModel
import Testing

struct JSONValueTests {
    @Test(
        "a text is read and written as by a decoder and an encoder that try every type",
        arguments: [
            "null", "true", "false", "0", "-0", "-0.0", "1.0", "-3e2", "1E+2", "2.5", "9223372036854775808", "1e19",
            "1e30",
            "0.1", "123456789012345678901234567890", "5e-324", "-9223372036854775808", #""""#, #""a\"\\\/\n\u00e4😀""#,
            "[]",
            "{}", " [ 1 , [ ] , { } , \"x\" ] ", #" { "b" : [ 1 , { "c" : null } ] , "a" : { } , "B":1, "ä":2 } "#,
        ])
    func same(text: String) throws {
        // Without the text, so it tries.
        let expected = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        let value = try JSONCoding.value(JSONValue.self, from: text)
        #expect(value == expected)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        #expect(try JSONCoding.text(of: value) == String(decoding: encoder.encode(expected), as: UTF8.self))
    }

    @Test("a member is read as the document is, and the last of equal names counts")
    func member() throws {
        struct Document: Decodable {
            var inside: JSONValue
            var absent: JSONValue?
        }
        let text = #"{"inside":1,"ins\u0069de":{"\u00e9":1,"e\u0301":[2]},"other":[]}"#
        let document = try JSONCoding.value(Document.self, from: text)
        #expect(document.inside == .object(["\u{e9}": .integer(1), "e\u{301}": .array([.integer(2)])]))
        #expect(document.absent == nil)
    }

    @Test("what is no JSON, or nested too deep, is refused", arguments: ["", "[", "[1,,2]", "nul", "{\"a\"}", "1 2"])
    func malformed(text: String) {
        #expect(throws: DecodingError.self) { try JSONCoding.value(JSONValue.self, from: text) }
        let deep = String(repeating: "[", count: 513) + String(repeating: "]", count: 513)
        #expect(throws: DecodingError.self) { try JSONCoding.value(JSONValue.self, from: deep) }
    }
}
