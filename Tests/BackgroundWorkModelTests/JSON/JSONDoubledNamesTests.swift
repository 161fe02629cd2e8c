import BackgroundWorkModel
import Foundation
import Testing

/// Of members of an object that have the same name the last one counts, wherever the object stands.
struct JSONDoubledNamesTests {
    private func value(_ json: String) throws -> JSONValue { try JSONCoding.value(JSONValue.self, from: json) }

    @Test(
        "the last member of a name counts, and everything else stays",
        arguments: [
            (#"{"a":1,"a":2}"#, #"{"a":2}"#), (#"{"a":1,"b":2,"a":3}"#, #"{"b":2,"a":3}"#),
            (#" { "a" : 1 , "a" : 2 , "a" : 3 } "#, #"{"a":3}"#), (#"{"a":{"b":1,"b":2},"a":null}"#, #"{"a":null}"#),
            (#"{"h":{"x":"1","y":"2","x":"3"},"z":0}"#, #"{"h":{"y":"2","x":"3"},"z":0}"#),
            (#"[{"a":1,"a":[{"b":1,"b":2}]},{"a":1}]"#, #"[{"a":[{"b":2}]},{"a":1}]"#),
            (#"{"a":"}\",\"a\":{","a":"]\\","c":",\":"}"#, #"{"a":"]\\","c":",\":"}"#),
            (#"{"url":1,"\u0075rl":2}"#, #"{"url":2}"#), (#"{"\u0075rl":1,"url":2}"#, #"{"url":2}"#),
            (#"{"":1,"":2}"#, #"{"":2}"#),
            (#"{"a":{},"a":[],"b":{"a":1}}"#, #"{"a":[],"b":{"a":1}}"#),
            (#"{"a":"x","b":"a","c":"a"}"#, #"{"a":"x","b":"a","c":"a"}"#),
            (#"[1,"a","a"]"#, #"[1,"a","a"]"#), (#""a""#, #""a""#),
        ])
    func lastCounts(json: String, means: String) throws {
        let expected = try JSONDecoder().decode(JSONValue.self, from: Data(means.utf8))
        #expect(try value(json) == expected)
    }

    @Test("for a dictionary of Swift, names that differ only in how their characters are composed are equal")
    func composition() throws {
        let json = "{\"\u{e9}\":1,\"e\u{301}\":2}"
        #expect(try JSONCoding.value([String: Int].self, from: json) == ["e\u{301}": 2])
        #expect(try value(json) == .object(["\u{e9}": .integer(1), "e\u{301}": .integer(2)]))
    }

    @Test("duplicate names are found at any depth")
    func deep() throws {
        let depth = 50
        let json = String(repeating: "[", count: depth) + #"{"a":1,"a":2}"# + String(repeating: "]", count: depth)
        var inner = try value(json)
        while case .array(let elements) = inner { inner = try #require(elements.first) }
        #expect(inner == .object(["a": .integer(2)]))
    }

    @Test(
        "for invalid JSON the error is the decoder's",
        arguments: [#"{"a":1,"a":2"#, #"{"a":1,"a"}"#, "", "{", "\"", "]"])
    func noJSON(text: String) {
        #expect(throws: DecodingError.self) { try value(text) }
    }
}
