import BackgroundWorkModel

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The content of `bg_url_session_state.json`: entries by name, and whatever else stands in the file.
package struct StateDocument: Sendable, Hashable {
    /// The version this program writes. A higher one in the file is kept.
    package static let currentVersion: Int64 = 1

    private var root: [String: JSONValue] = [:]
    private var members: [String: JSONValue] = [:]

    /// An empty document.
    package init() {}

    /// Reads a document. Throws when the bytes are no JSON object, or `entries` is there and is none.
    package init(_ bytes: Data) throws {
        let value = try JSONDecoder().decode(JSONValue.self, from: bytes)
        guard let root = value.members else { throw Malformed(reason: "it is no JSON object") }
        self.root = root
        guard let entries = root["entries"], entries != .null else { return }
        guard let members = entries.members else { throw Malformed(reason: "\"entries\" is no JSON object") }
        self.members = members
    }

    package struct Malformed: Error, CustomStringConvertible {
        var reason: String
        package var description: String { reason }
    }

    /// The version found; the ancestor leaves it out when it is 1.
    package var version: Int64 { root["schemaVersion"]?.int64 ?? Self.currentVersion }

    /// The entries that can be read. Others stay in the file untouched.
    package var entries: [TransferEntry] { members.values.compactMap(TransferEntry.init) }

    package func entry(named name: String) -> TransferEntry? { members[name].flatMap(TransferEntry.init) }

    package mutating func put(_ entry: TransferEntry) { members[entry.name] = entry.json }

    /// Whether there was such an entry.
    @discardableResult
    package mutating func remove(named name: String) -> Bool { members.removeValue(forKey: name) != nil }

    /// The document as JSON, keys in order so that equal documents are equal files.
    package func encoded() throws -> Data {
        var root = root
        root["schemaVersion"] = .integer(version)
        root["entries"] = .object(members)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(JSONValue.object(root))
    }
}
