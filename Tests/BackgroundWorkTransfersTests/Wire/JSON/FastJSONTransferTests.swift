import BackgroundWorkModel
import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkTransfers

struct FastJSONTransferTests {
    static let seeds = 1...6 as ClosedRange<UInt64>

    /// One value of each type that is written by hand, for each round.
    private func each(seed: UInt64, rounds: Int, _ check: (any (FastJSONCodable & Equatable)) throws -> Void) rethrows {
        var random = RandomTransfers(seed: seed)
        for _ in 0..<rounds {
            try check(random.reference())
            try check(random.downloadJob())
            try check(random.job())
            try check(random.specification())
            try check(random.details())
            try check(random.result())
            try check(random.outcome())
            try check(random.progress())
            try check(random.clientFrame())
            try check(random.agentFrame())
            try check(random.output())
        }
    }

    @Test("handwritten encoding is read by the decoder and by the handwritten code", arguments: seeds)
    func writing(seed: UInt64) throws {
        func check<Value: FastJSONCodable & Equatable>(_ value: Value) throws {
            let complaint = try FastJSONCheck.writing(value)
            #expect(complaint == nil)
        }
        try each(seed: seed, rounds: 60) { try check($0) }
    }

    @Test("the encoder's output, in any format, is read by the handwritten code", arguments: seeds)
    func reading(seed: UInt64) throws {
        func check<Value: FastJSONCodable & Equatable>(_ value: Value) throws {
            let complaint = try FastJSONCheck.reading(value)
            #expect(complaint == nil)
        }
        try each(seed: seed, rounds: 40) { try check($0) }
    }

    @Test("unknown fields are skipped", arguments: seeds)
    func unknownFields(seed: UInt64) throws {
        // Frames, jobs and results are cases of an enumeration and have no fields of their own.
        var random = RandomTransfers(seed: seed)
        for _ in 0..<40 {
            #expect(try FastJSONCheck.unknownFields(random.reference()) == nil)
            #expect(try FastJSONCheck.unknownFields(random.downloadJob()) == nil)
            #expect(try FastJSONCheck.unknownFields(random.specification()) == nil)
            #expect(try FastJSONCheck.unknownFields(random.details()) == nil)
            #expect(try FastJSONCheck.unknownFields(random.outcome()) == nil)
            #expect(try FastJSONCheck.unknownFields(random.progress()) == nil)
            #expect(try FastJSONCheck.unknownFields(random.clientFrame()) == nil)
            #expect(try FastJSONCheck.unknownFields(random.output()) == nil)
        }
    }

    @Test("from a damaged text only what the decoder reads is read", arguments: seeds)
    func damage(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var read = 0
        func check<Value: FastJSONCodable & Equatable>(_ value: Value) throws {
            let (complaint, count) = try FastJSONCheck.damage(value, rounds: 100, using: &generator)
            #expect(complaint == nil)
            read += count
        }
        try each(seed: seed, rounds: 1) { try check($0) }
        // Some damage leaves a text that can be read, or the comparison would mean nothing.
        #expect(read > 50)
    }

    @Test("a new field has to be added to the handwritten code as well")
    func fields() {
        var random = RandomTransfers(seed: 1)
        func count(_ value: Any) -> Int { Mirror(reflecting: value).children.count }
        #expect(count(random.reference()) == 2)
        #expect(count(random.downloadJob()) == 10)
        #expect(count(TransferOptions()) == 14)
        #expect(count(random.specification()) == 8)
        #expect(count(random.details()) == 9)
        #expect(count(random.outcome()) == 7)
        #expect(count(random.progress()) == 9)
        #expect(count(random.clientFrame()) == 2)
        #expect(count(random.output()) == 8)
    }

    @Test(
        "a plain download is read by the handwritten code, and equals what the decoder reads",
        arguments: [
            #"{"url":"http://a/b","savePath":"/c"}"#,
            #"{"savePath":"/c\u00e4","sessionIdentifier":null,"url":"http:\/\/a"}"#,
            #"{"url":"u","savePath":"s","sessionIdentifier":"x","maxBytes":5,"resumable":false}"#,
        ])
    func plainDownload(text: String) throws {
        let byHand = try Array(text.utf8).withUnsafeBufferPointer { try DownloadConfiguration(json: JSONObject($0)) }
        #expect(byHand == (try JSONDecoder().decode(DownloadConfiguration.self, from: Data(text.utf8))))
    }

    @Test(
        "every other download is left to the decoder",
        arguments: [
            #"{"url":"u","savePath":"s","headers":{"a":"b"}}"#, #"{"url":"u","savePath":"s","onDuplicate":"skip"}"#,
            #"{"url":"u","savePath":"s","unknown":1}"#, #"{"url":"u"}"#, #"{"url":1,"savePath":"s"}"#,
            #"{"url":"u","savePath":"s","url":"v"}"#, #"{"url":"u","savePath":"s","maxBytes":1e3}"#,
        ])
    func otherDownload(text: String) {
        #expect(throws: (any Error).self) {
            try Array(text.utf8).withUnsafeBufferPointer { try DownloadConfiguration(json: JSONObject($0)) }
        }
    }

    @Test("a duplicate field is left to the decoder, and the last one counts")
    func twice() throws {
        let text = #"{"store":"a","key":"k#1","store":"b"}"#
        #expect(throws: JSONMismatch.self) {
            try Array(text.utf8).withUnsafeBufferPointer { try TransferReference(json: JSONObject($0)) }
        }
        let reference = TransferReference(store: "b", key: TransferKey(workID: "k", generation: 1))
        #expect(try FastJSON.value(TransferReference.self, from: text) == reference)
    }

    @Test("a name may be spelled with escapes")
    func escapedName() throws {
        let text = #"{"\u0073tore":"a","ke\u0079":"k#1"}"#
        let reference = try Array(text.utf8).withUnsafeBufferPointer { try TransferReference(json: JSONObject($0)) }
        #expect(reference == TransferReference(store: "a", key: TransferKey(workID: "k", generation: 1)))
    }

    @Test("a specification of protocol version 2 is still read")
    func earlierSpecification() throws {
        let text = #"""
            {"reference":{"store":"s","key":"k#1"},"sessionIdentifier":"x","url":"http://h/","headers":{"A":"b"},
            "stallTimeoutMs":9,"addressPolicy":"unrestricted","savePath":"/p","workerName":"W"}
            """#
        let specification = try FastJSON.value(TransferSpecification.self, from: text)
        #expect(specification.options.headers == ["A": "b"])
        #expect(specification.options.stallTimeout == .milliseconds(9))
        #expect(specification.options.proxy == .direct)
        #expect(specification.job == .download(.init()))
    }

    @Test("options of earlier versions are read from these bytes")
    func sharedOptions() throws {
        var random = RandomTransfers(seed: 9)
        var (one, other) = (random.specification(), random.specification())
        one.options.group = "caf\u{e9}"
        other.options = one.options
        // Equal as a string, and other bytes.
        other.options.group = "cafe\u{301}"
        for specification in [one, one, other, one, other, other] {
            let text = try FastJSON.text(of: specification)
            let read = try FastJSON.value(TransferSpecification.self, from: text)
            #expect(read == specification)
            #expect(read.options.group.map { Array($0.utf8) } == specification.options.group.map { Array($0.utf8) })
        }
    }

    @Test("an output's text is the encoder's with sorted members, byte for byte", arguments: seeds)
    func output(seed: UInt64) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var random = RandomTransfers(seed: seed)
        for _ in 0..<500 {
            let output = random.output()
            let expected = String(decoding: try encoder.encode(output), as: UTF8.self)
            let text = try output.encoded()
            #expect(Array(text.utf8) == Array(expected.utf8))
        }
    }
}
