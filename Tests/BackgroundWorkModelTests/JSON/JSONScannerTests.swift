import Foundation
import Testing

@testable import BackgroundWorkModel

struct JSONScannerTests {
    static let document = #"""
        {"schemaVersion":1, "entries":{"s:1":{"savePath":"/tmp/ü/🚚","taskIdentifier":-0.5e+10,"etag":"\"\u00e9\ud83d\ude9a\n"},
        "odd":[true,false,null,[],{}]}}
        """#

    static func accepts(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBufferPointer { bytes in
            do {
                try JSONScanner.scan(bytes) { _ = try $0.value() }
                return true
            } catch {
                return false
            }
        }
    }

    @Test("a document that is truncated at any byte is rejected")
    func truncated() {
        let bytes = Array(Self.document.utf8)
        #expect(Self.accepts(bytes))
        for count in bytes.indices { #expect(!Self.accepts(Array(bytes[..<count])), "\(count)") }
    }

    @Test(
        "escapes that JSON does not know, and halves of surrogate pairs, are rejected",
        arguments: [
            #"\x"#, #"\u12"#, #"\u12g4"#, #"\U0041"#, #"\'"#, #"\0"#, #"\ud800"#, #"\ud800x"#, #"\ud800\n"#,
            #"\ud800\u0041"#, #"\udc00"#, #"\ud83d\ud83d"#, #"\ude9a\ud83d"#,
        ])
    func escapes(escape: String) {
        #expect(!Self.accepts(Array("\"\(escape)\"".utf8)))
        #expect(!Self.accepts(Array("{\"\(escape)\":1}".utf8)))
        #expect(!Self.accepts(Array("\"12345678\(escape)\"".utf8)))
    }

    @Test(
        "numbers that JSON does not know are rejected",
        arguments: [
            "01", "-01", "+1", "1.", ".5", "-", "1e", "1e+", "1.e1", "0x10", "1_000", "Infinity", "-NaN", "1e1.5",
            "--1",
        ])
    func numbers(number: String) {
        #expect(!Self.accepts(Array(number.utf8)))
        #expect(!Self.accepts(Array("[\(number)]".utf8)))
        #expect(!Self.accepts(Array("{\"a\":\(number)}".utf8)))
    }

    @Test(
        "control characters in strings are rejected at every place of an eight-byte word",
        arguments: 0..<0x20 as Range<UInt8>)
    func controls(control: UInt8) {
        for before in 0..<17 {
            let padding = [UInt8](repeating: 0x61, count: before)
            #expect(!Self.accepts([0x22] + padding + [control] + [UInt8](repeating: 0x62, count: 9) + [0x22]))
        }
    }

    @Test(
        "bytes that are not UTF-8 are rejected in strings",
        arguments: [
            [0x80], [0xc0, 0xaf], [0xc1, 0xbf], [0xc3], [0xc3, 0x28], [0xe0, 0x9f, 0xbf], [0xe2, 0x82],
            [0xed, 0xa0, 0x80],
            [0xed, 0xbf, 0xbf], [0xf0, 0x8f, 0xbf, 0xbf], [0xf0, 0x9f, 0x9a], [0xf4, 0x90, 0x80, 0x80],
            [0xf5, 0x80, 0x80, 0x80],
            [0xfe], [0xff],
        ] as [[UInt8]])
    func encoding(sequence: [UInt8]) {
        for before in 0..<9 {
            let padding = [UInt8](repeating: 0x61, count: before)
            #expect(!Self.accepts([0x22] + padding + sequence + [0x22]))
            #expect(!Self.accepts([0x22] + padding + sequence))
        }
    }

    @Test("every Unicode character is accepted, and is read back from its escapes")
    func characters() {
        for value in stride(from: 0x20, through: 0x10ffff, by: 7) {
            guard let scalar = Unicode.Scalar(UInt32(value)) else { continue }
            let text = String(Character(scalar))
            let quoted = [0x22] + JSONString.content(of: text) + [0x22]
            let escaped = text.utf16.map { "\\u" + String(format: "%04X", $0) }.joined()
            guard Self.accepts(quoted), Array(escaped.utf8).withUnsafeBufferPointer(JSONString.text) == text else {
                Issue.record("U+\(String(value, radix: 16))")
                return
            }
        }
    }

    @Test("text after the document, a byte order mark and empty input are rejected")
    func surroundings() {
        for text in ["", " ", "{}x", "{}{}", "{},", "{}\0", "\u{feff}{}", "\0{}", "{}\u{a0}", "\u{b}{}"] {
            #expect(!Self.accepts(Array(text.utf8)), "\(text.debugDescription)")
        }
        #expect(Self.accepts(Array(" \t\r\n{} \t\r\n".utf8)))
    }

    /// Lets JSONDecoder parse, and reads no value.
    struct Anything: Decodable {
        init(from decoder: any Decoder) {}
    }

    @Test("nesting beyond 512 levels is rejected, of arrays and of objects, as by JSONDecoder")
    func depth() {
        for (opening, closing) in [("[", "]"), ("{\"a\":", "}"), ("[{\"a\":", "}]")] {
            let levels = opening.count == 1 || opening.first == "{" ? 1 : 2
            func text(_ depth: Int) -> [UInt8] {
                let count = depth / levels
                return Array(
                    (String(repeating: opening, count: count) + "1" + String(repeating: closing, count: count)).utf8)
            }
            #expect(Self.accepts(text(512)))
            #expect(!Self.accepts(text(512 + levels)))
            #expect(!Self.accepts(text(200_000)))
            #expect((try? JSONDecoder().decode(Anything.self, from: Data(text(512)))) != nil)
            #expect((try? JSONDecoder().decode(Anything.self, from: Data(text(512 + levels)))) == nil)
        }
    }

    @Test("the members of an object are found with their names and values")
    func members() throws {
        let text = Array(#" { "a" : [1, 2] , "\u0062":{"c":"}"}, "":"" } "#.utf8)
        var found: [[String]] = []
        try text.withUnsafeBufferPointer { bytes in
            try JSONScanner.scan(bytes) { scanner in
                try scanner.members { scanner, name in
                    let value = try scanner.value()
                    found.append([
                        JSONString.text(of: UnsafeBufferPointer(rebasing: bytes[name.range])),
                        String(decoding: bytes[value], as: UTF8.self), "\(name.hasEscapes)",
                    ])
                }
            }
        }
        #expect(found == [["a", "[1, 2]", "false"], ["b", #"{"c":"}"}"#, "true"], ["", #""""#, "false"]])
    }

    @Test("strings are written as JSONEncoder writes them")
    func spelling() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        for text in ["", "a/b", "\"\\", "ü🚚\u{7f}\u{2028}", String(decoding: 0..<0x20 as Range<UInt8>, as: UTF8.self)] {
            #expect(try encoder.encode(text) == Data([0x22] + JSONString.content(of: text) + [0x22]))
        }
    }

    @Test(
        "whole numbers are read as JSONDecoder reads them",
        arguments: [
            "0", "-0", "7", "7.0", "1e3", "-25E-1", "1.5", "9223372036854775807", "-9223372036854775808",
            "9223372036854775808", "1e40", "\"7\"", "true", "null", "[]",
        ])
    func integers(number: String) throws {
        let decoded = try? JSONDecoder().decode(Int64.self, from: Data(number.utf8))
        #expect(Array(number.utf8).withUnsafeBufferPointer { Int64(json: $0) } == decoded)
    }
}
