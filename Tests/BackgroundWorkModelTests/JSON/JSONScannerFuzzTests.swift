import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkModel

struct JSONScannerFuzzTests {
    static let documents = [
        JSONScannerTests.document,
        #"{"a":[1,-2.5e-3,{"b":null}],"c":"\u0061\\\"\/ü","d":{},"e":[],"f":true,"g":false,"h":0.0}"#,
        #"["\ud83d\ude9a","🚚",[[[1]]],{"x":{"y":{"z":[]}}}, 12345678901234567890, 1E5 ]"#,
    ].map { Array($0.utf8) }

    /// What JSONDecoder says when every value is read, since it checks some only then.
    static func decoderAccepts(_ bytes: [UInt8]) -> Bool {
        (try? JSONDecoder().decode(JSONValue.self, from: Data(bytes))) != nil
    }

    /// JSONDecoder rejects numbers that are not a Double, which are JSON, and accepts a comma before a closing bracket,
    /// which is none.
    static func isWhereTheyDiffer(_ bytes: [UInt8], accepted: Bool) -> Bool {
        let text = String(decoding: bytes, as: UTF8.self)
        return accepted ? text.contains(/[0-9][eE][+-]?[0-9]{3}/) : text.contains(/,[ \t\r\n]*[\]}]/)
    }

    /// JSONDecoder takes other encodings than UTF-8, by their marks or by their zeros.
    static func looksLikeAnotherEncoding(_ bytes: [UInt8]) -> Bool {
        bytes.prefix(4).contains(0)
            || [[0xef, 0xbb, 0xbf], [0xfe, 0xff], [0xff, 0xfe]].contains { bytes.starts(with: $0) }
    }

    @Test("a number of any size is JSON, and a comma before a closing bracket is not")
    func differences() {
        #expect(JSONScannerTests.accepts(Array("[1e999]".utf8)))
        for text in ["[1,]", "[1, ]", "{\"a\":1,}", "{\"a\":1, }"] {
            #expect(!JSONScannerTests.accepts(Array(text.utf8)))
        }
    }

    @Test("what is accepted is what JSONDecoder accepts", arguments: 1...8 as ClosedRange<UInt64>)
    func acceptance(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let rounds = 1500
        var accepted = 0
        for round in 0..<rounds {
            var bytes = Self.documents[round % Self.documents.count]
            JSONMutation.apply(to: &bytes, using: &generator)
            if Self.looksLikeAnotherEncoding(bytes) { continue }
            let verdict = JSONScannerTests.accepts(bytes)
            if verdict { accepted += 1 }
            if verdict == Self.decoderAccepts(bytes) || Self.isWhereTheyDiffer(bytes, accepted: verdict) { continue }
            Issue.record(
                "\(verdict ? "accepted" : "refused"): \(String(decoding: bytes, as: UTF8.self).debugDescription) \(bytes)"
            )
        }
        // Both kinds have to be among them for the comparison to mean something.
        #expect((rounds / 15..<rounds * 14 / 15).contains(accepted))
    }
}
