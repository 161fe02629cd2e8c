import BackgroundWorkFiles
import BackgroundWorkModel
import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkStorage

struct FileMoveJSONTests {
    private static func move(using generator: inout SeededGenerator) -> FileMove {
        let identity = FileIdentity(
            device: RandomNumber.any(using: &generator), inode: RandomNumber.any(using: &generator),
            bytes: RandomNumber.any(using: &generator))
        let collisions: [FileMove.Collision] = [.replace, .nextName, .discard]
        return FileMove(
            temporaryPath: RandomText.any(using: &generator), targetPath: RandomText.any(using: &generator),
            identity: identity, collision: collisions.randomElement(using: &generator) ?? .replace,
            wantedPath: RandomText.maybe(using: &generator), particulars: RandomText.maybe(using: &generator),
            mountPoint: RandomText.maybe(using: &generator),
            mode: Bool.random(using: &generator) ? UInt16.random(in: 0...0o777, using: &generator) : nil,
            allowedDirectories: RandomText.maybe(using: &generator).map { [$0, "/d"] })
    }

    @Test("a move is the same in handwritten encoding and from the encoder", arguments: 1...4 as ClosedRange<UInt64>)
    func coding(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            let move = Self.move(using: &generator)
            #expect(try FastJSONCheck.writing(move) == nil)
            #expect(try FastJSONCheck.reading(move) == nil)
            #expect(try FastJSONCheck.unknownFields(move) == nil)
            #expect(try FastJSONCheck.writing(move.identity) == nil)
            #expect(try FastJSONCheck.reading(move.identity) == nil)
        }
        let (complaint, read) = try FastJSONCheck.damage(
            Self.move(using: &generator), rounds: 1000, using: &generator)
        #expect(complaint == nil)
        #expect(read > 50)
    }

    @Test("a new field has to be added to the handwritten code as well")
    func fields() {
        var generator = SeededGenerator(seed: 1)
        let move = Self.move(using: &generator)
        #expect(Mirror(reflecting: move).children.count == 9)
        #expect(Mirror(reflecting: move.identity).children.count == 3)
    }

    @Test("a move that an earlier version stored has three fields")
    func earlier() throws {
        let text = #"{"temporaryPath":"/t","targetPath":"/p","identity":{"device":1,"inode":2,"bytes":3}}"#
        let move = try Array(text.utf8).withUnsafeBufferPointer { try FileMove(json: JSONObject($0)) }
        #expect(move == FileMove(temporaryPath: "/t", targetPath: "/p", identity: .init(device: 1, inode: 2, bytes: 3)))
    }
}
