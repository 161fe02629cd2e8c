import BackgroundWorkModel
import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkTransfers

struct StateDocumentFuzzTests {
    /// Its names are too unlike for a few changes to make two of them one: of those JSONDecoder takes the first.
    static let file = Array(
        #"""
        {"x":[1],"schemaVersion":2,"entries":{"s:1":{"sessionIdentifier":"s","taskIdentifier":1,"savePath":"/p",
        "workerName":"W","createdAtMs":5},"\u006fthers:22":{"sessionIdentifier":"others","taskIdentifier":22,
        "savePath":"/\u0071","etag":"e","workerName":"W","createdAtMs":6},"at last:333":{"createdAtMs":7.0,"workerName":"V",
        "taskIdentifier":333,"sessionIdentifier":"at last","savePath":"/r","transferKey":"a#1","workStore":"b"}}}
        """#.utf8)

    /// What a tree that JSONDecoder builds says of the file.
    struct Tree {
        var version: Int64 = 1
        var names: Set<String> = []
        var entries: [String: [String]] = [:]

        /// `nil` if the file would be renamed as damaged.
        init?(_ bytes: [UInt8]) {
            guard let root = (try? JSONDecoder().decode(JSONValue.self, from: Data(bytes)))?.members else { return nil }
            version = Self.integer(root["schemaVersion"]) ?? 1
            guard let entries = root["entries"], entries != .null else { return }
            guard let members = entries.members else { return nil }
            names = Set(members.keys.map(\.text))
            for (name, value) in members {
                guard let fields = value.members, case .string(let session) = fields["sessionIdentifier"],
                    let task = Self.integer(fields["taskIdentifier"]), case .string(let path) = fields["savePath"],
                    case .string(let worker) = fields["workerName"], let created = Self.integer(fields["createdAtMs"])
                else { continue }
                self.entries[name.text] = [session, "\(task)", path, worker, "\(created)"]
            }
        }

        static func integer(_ value: JSONValue?) -> Int64? {
            switch value {
            case .integer(let integer): integer
            case .number(let number): Int64(exactly: number)
            default: nil
            }
        }
    }

    @Test("a damaged file is read as the tree that JSONDecoder builds of it", arguments: 1...8 as ClosedRange<UInt64>)
    func reading(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var read = 0
        for _ in 0..<500 {
            var bytes = Self.file
            JSONMutation.apply(to: &bytes, using: &generator)
            // Where both accept it; what is accepted at all is tested with the scanner.
            guard let document = try? StateDocument(bytes), let tree = Tree(bytes) else { continue }
            read += 1
            let text = String(decoding: bytes, as: UTF8.self)
            try #require(document.version == tree.version, "\(text)")
            for name in tree.names {
                let entry = document.entry(named: name)
                let fields = entry.map {
                    [
                        $0.sessionIdentifier, "\($0.taskIdentifier)", $0.savePath, $0.workerName,
                        "\($0.createdAt.milliseconds)",
                    ]
                }
                try #require(document.contains(StateDocument.spelling(of: name)), "\(text)")
                try #require(fields == tree.entries[name], "\(text)")
            }
            try #require(document.entries.count == tree.entries.count, "\(text)")
            // Written back, it is read as the same.
            let change = StateChange(name: [0x7a], value: [0x30])
            let written = try #require(document.applying([change])?.applying([StateChange(name: [0x7a], value: nil)]))
            let again = try #require(Tree(Array(written.bytes)), "\(text)")
            try #require(again.names == tree.names && again.entries == tree.entries, "\(text)")
            try #require(again.version == tree.version, "\(text)")
        }
        #expect(read > 30)
    }
}
