import BackgroundWorkModel
import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkTransfers

struct StateDocumentTests {
    static let fields = #""sessionIdentifier":"s","taskIdentifier":1,"savePath":"/p","workerName":"W","createdAtMs":5"#

    func document(_ text: String) throws -> StateDocument { try StateDocument(Array(text.utf8)) }

    func text(_ document: StateDocument?) -> String { String(decoding: document?.bytes ?? [], as: UTF8.self) }

    func entry(_ task: Int64, session: String = "s", savePath: String = "/p") -> TransferEntry {
        TransferEntry(
            sessionIdentifier: session, taskIdentifier: task, savePath: savePath, workerName: "W",
            createdAt: WallTime(milliseconds: 5), reference: nil)
    }

    @Test("an entry is written as JSONEncoder would, its fields in order")
    func form() {
        var one = entry(2, session: "a\"b", savePath: "/tmp/ü\u{1}")
        one.reference = TransferReference(store: "x", key: TransferKey(workID: "a#b", generation: 2))
        #expect(
            text(StateDocument().applying([.put(one)]))
                == #"{"entries":{"a\"b:2":{"createdAtMs":5,"savePath":"/tmp/ü\u0001","sessionIdentifier":"a\"b","#
                + #""taskIdentifier":2,"transferKey":"a#b#2","workStore":"x","workerName":"W"}},"schemaVersion":1}"#)
    }

    @Test("unchanged parts are kept byte for byte, and names are in order")
    func preserved() throws {
        let odd = #"{ "half" : true, "n":1e999, "s":"\u0061\/" }"#
        let known = #"{"etag" : 1.50, \#(Self.fields)}"#
        let document = try document(
            #"{"z":[ 1, 2.50 ],"schemaVersion": 9,"entries":{"t:9":\#(odd),"s:1":\#(known)},"a":"\u00e9", "m":{}}"#)
        let new = String(decoding: entry(5).json, as: UTF8.self)
        #expect(
            text(document.applying([.put(entry(5))]))
                == #"{"a":"\u00e9","entries":{"s:1":\#(known),"s:5":\#(new),"t:9":\#(odd)},"m":{},"schemaVersion":9,"z":[ 1, 2.50 ]}"#
        )
        #expect(document.entries.map(\.name) == ["s:1"])
    }

    @Test("fields of an entry that are not known are kept when the entry is put again")
    func unknownFields() throws {
        let json = #"{"z": [1],\#(Self.fields),"big":9007199254740993,"transferKey":"unlike one","\u0061":"\u0062"}"#
        var read = try #require(try document(#"{"entries":{"s:1":\#(json)}}"#).entry(named: "s:1"))
        read.savePath = "/q"
        #expect(
            String(decoding: read.json, as: UTF8.self)
                == #"{"a":"\u0062","big":9007199254740993,"createdAtMs":5,"savePath":"/q","sessionIdentifier":"s","#
                + #""taskIdentifier":1,"transferKey":"unlike one","workerName":"W","z":[1]}"#
        )
        read.reference = TransferReference(store: "x", key: TransferKey(workID: "a", generation: 1))
        #expect(String(decoding: read.json, as: UTF8.self).contains(#""transferKey":"a#1","workStore":"x""#))
        #expect(!String(decoding: read.json, as: UTF8.self).contains("unlike"))
    }

    @Test("of duplicate names the last counts, among entries, in an entry and beside the entries")
    func duplicates() throws {
        let document = try document(
            #"{"a":1,"entries":[],"schemaVersion":3,"a":2,"schemaVersion":"x","entries":{"s:1":{},"s:2":7,"s:1":{"#
                + #""savePath":"/old",\#(Self.fields)},"s:2":8}}"#)
        #expect(document.version == 1)
        #expect(document.entry(named: "s:1")?.savePath == "/p")
        let written = text(document.applying([.put(entry(3))]))
        #expect(written.hasPrefix(#"{"a":2,"entries":{"s:1":{"savePath":"/old","#))
        #expect(written.contains(#""s:2":8"#) && !written.contains(#""s:2":7"#))
        #expect(written.hasSuffix(#""schemaVersion":1}"#))
        #expect(throws: StateDocument.Malformed.self) { try self.document(#"{"entries":{},"entries":[]}"#) }
    }

    @Test("an escape in a name equals the character that it encodes")
    func escapedNames() throws {
        let document = try document(
            #"{"\u0065ntries":{"\u0073:1":{"s\u0061vePath":"/q\u002f",\#(Self.fields)},"\u00e9\ud83d\ude9a\"\n":1},"schema\u0056ersion":2}"#
        )
        #expect(document.version == 2)
        #expect(document.entry(named: "s:1")?.savePath == "/p")
        #expect(document.contains(StateDocument.spelling(of: "é🚚\"\n")))
        let replaced = try #require(document.applying([.put(entry(1, savePath: "/new")), .put(entry(0))]))
        #expect(replaced.entries.map(\.savePath) == ["/p", "/new"])
        #expect(text(replaced).contains(#""é🚚\"\n":1"#))
        let removed = try #require(replaced.applying([.remove(session: "s", task: 1)]))
        #expect(removed.entries.map(\.name) == ["s:0"])
    }

    @Test("names that only look alike are two")
    func composed() throws {
        let document = StateDocument().applying([
            .put(entry(1, session: "\u{e9}")), .put(entry(1, session: "e\u{301}", savePath: "/q")),
        ])
        #expect(document?.entries.count == 2)
        #expect(document?.entry(named: "\u{e9}:1")?.savePath == "/p")
        #expect(document?.entry(named: "e\u{301}:1")?.savePath == "/q")
    }

    @Test("documents with equal members are equal files, in any order of insertion")
    func equalFiles() throws {
        let entries = (0..<50).map { entry($0) }
        let once = StateDocument().applying(entries.map(StateChange.put))
        var onward: StateDocument? = StateDocument()
        for entry in entries.reversed() { onward = onward?.applying([.put(entry)]) }
        let reordered =
            #"{"schemaVersion":1,"entries":{"#
            + entries.shuffled().map { #""\#($0.name)":\#(String(decoding: $0.json, as: UTF8.self))"# }
            .joined(separator: " , ") + "}}"
        #expect(text(once) == text(onward))
        #expect(try text(document(reordered).applying([.put(entries[7])])) == text(once))
    }

    @Test("changes that change nothing say so")
    func nothing() throws {
        #expect(StateDocument().applying([.remove(session: "s", task: 1)]) == nil)
        #expect(try document(#"{"entries":{"s:1":null}}"#).applying([.remove(session: "s", task: 1)]) != nil)
        #expect(try document(#"{"entries":null}"#).applying([.remove(session: "s", task: 1)]) == nil)
    }

    @Test("a file that is truncated at any byte is malformed")
    func truncated() throws {
        let whole = Array(text(StateDocument().applying([.put(entry(1)), .put(entry(2, session: "ü\n"))])).utf8)
        #expect(try StateDocument(whole).entries.count == 2)
        for count in whole.indices {
            #expect(throws: (any Error).self) { try StateDocument(Array(whole[..<count])) }
        }
    }

    @Test(
        "text that is not a JSON object, or has invalid entries, is malformed and does not crash",
        arguments: [
            "", "[]", "null", "7", "{\"entries\":[]}", "{\"entries\":\"{}\"}", "{\"entries\":0}", "{}{}", "\u{feff}{}",
            "{\"entries\":{\"s:1\":\(String(repeating: "[", count: 511))",
            "{\"entries\":{\"s:1\":\(String(repeating: "[", count: 511))\(String(repeating: "]", count: 511))}}",
            String(repeating: "{\"entries\":", count: 100_000),
        ])
    func malformed(text: String) {
        #expect(throws: (any Error).self) { try document(text) }
    }

    @Test(
        "any sequence of puts and removes has the same result as with a dictionary",
        arguments: 1...8 as ClosedRange<UInt64>)
    func sequences(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        func random(_ limit: Int64) -> Int64 { .random(in: 0..<limit, using: &generator) }
        let sessions = ["s", "a\"b", "\u{e9}", "", "\u{1}\\"]
        var expected: [String: TransferEntry] = [:]
        var document = try document(#"{"kept":[1 ,2],"entries":{"zz":0}}"#)
        for round in 0..<200 {
            var changes: [[UInt8]: StateChange] = [:]
            for _ in 0...random(4) {
                let entry = entry(random(8), session: sessions[Int(random(5))], savePath: "/\(round)")
                let change: StateChange =
                    random(3) == 0
                    ? .remove(session: entry.sessionIdentifier, task: entry.taskIdentifier) : .put(entry)
                changes[change.name] = change
                expected[entry.name] = change.value == nil ? nil : entry
            }
            document = document.applying(Array(changes.values)) ?? document
            if round.isMultiple(of: 5) { document = try StateDocument(Array(document.bytes)) }
            let read = Dictionary(uniqueKeysWithValues: document.entries.map { ($0.name, $0) })
            try #require(read == expected)
            let root = try JSONSerialization.jsonObject(with: Data(document.bytes)) as? NSDictionary
            try #require((root?["entries"] as? NSDictionary)?.count == expected.count + 1)
            try #require(root?["kept"] as? NSArray == [1, 2])
        }
    }
}
