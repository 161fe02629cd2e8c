import BackgroundWorkModel

/// The content of `bg_url_session_state.json` as its text, and where each entry stands in it.
///
/// Nothing is decoded before it is asked for. Values that are not changed are written back byte for byte, so unknown
/// fields and entries that this version cannot read stay what they are.
package struct StateDocument: Sendable {
    /// The version this program writes. A higher one in the file is kept.
    package static let currentVersion: Int64 = 1

    /// The file, and after it the names that it spells in another way than ``spelling(of:)``.
    private var text: [UInt8] = []
    private let fileCount: Int
    /// The members beside `entries` and `schemaVersion`.
    private var fields = MemberIndex()
    private var members = MemberIndex()
    /// The version found; the ancestor leaves it out when it is 1.
    package let version: Int64

    /// An empty document.
    package init() {
        version = Self.currentVersion
        fileCount = 0
    }

    /// Reads a document.
    ///
    /// - Throws: a ``JSONSyntaxError`` or ``Malformed`` when the bytes are no JSON object, or `entries` is there and is
    ///   none.
    package init(_ bytes: [UInt8]) throws {
        let reading = try bytes.withUnsafeBufferPointer { try StateReading($0) }
        fileCount = bytes.count
        text = bytes
        text += reading.respelled
        version = reading.version ?? Self.currentVersion
        (fields, members) = text.withUnsafeBufferPointer {
            (MemberIndex(reading.fields, in: $0), MemberIndex(reading.entries, in: $0))
        }
    }

    private init(text: [UInt8], fields: [MemberIndex.Member], members: [MemberIndex.Member], version: Int64) {
        self.text = text
        fileCount = text.count
        self.fields = MemberIndex(ordered: fields)
        self.members = MemberIndex(ordered: members)
        self.version = version
    }

    package struct Malformed: Error, CustomStringConvertible {
        package let description: String
    }

    /// A name as it is spelled in the file, between the quotes. Equal names, and no others, have equal spellings.
    static func spelling(of name: String) -> [UInt8] { JSONString.content(of: name) }

    /// The file's bytes.
    package var bytes: ArraySlice<UInt8> { text[..<fileCount] }

    /// The entries that can be read, in the order of their names. Others stay in the file untouched.
    package var entries: [TransferEntry] {
        var entries: [TransferEntry] = []
        entries.reserveCapacity(members.members.count)
        text.withUnsafeBufferPointer { text in
            for member in members.members {
                if let entry = TransferEntry(json: UnsafeBufferPointer(rebasing: text[member.value])) {
                    entries.append(entry)
                }
            }
        }
        return entries
    }

    package func entry(named name: String) -> TransferEntry? {
        text.withUnsafeBufferPointer { text in
            members.value(named: Self.spelling(of: name), in: text)
                .flatMap { TransferEntry(json: UnsafeBufferPointer(rebasing: text[$0])) }
        }
    }

    /// Whether there is a member of that name among the entries, readable or not.
    func contains(_ name: [UInt8]) -> Bool {
        text.withUnsafeBufferPointer { members.value(named: name, in: $0) != nil }
    }

    /// The document after some changes, at most one to a name; `nil` if they change nothing.
    ///
    /// Its members are in the order of their names, so documents of equal members are equal files.
    func applying(_ changes: some Collection<StateChange>) -> StateDocument? {
        let changes = changes.filter { $0.value != nil || contains($0.name) }.sorted { one, other in
            one.name.withUnsafeBufferPointer { one in
                other.name.withUnsafeBufferPointer { MemberIndex.compare(one[...], $0[...]) < 0 }
            }
        }
        return changes.isEmpty ? nil : text.withUnsafeBufferPointer { written(changes, text: $0) }
    }

    private func written(_ changes: [StateChange], text: UnsafeBufferPointer<UInt8>) -> StateDocument {
        let capacity = changes.reduce(text.count + 64) { $0 + $1.name.count + ($1.value?.count ?? 0) + 4 }
        let entriesName = Array("entries".utf8)
        let versionName = Array("schemaVersion".utf8)
        let beforeEntries = fields.position(of: entriesName, in: text)
        let beforeVersion = fields.position(of: versionName, in: text)
        var written: [MemberIndex.Member] = []
        var entries: [MemberIndex.Member] = []
        let bytes = FastJSON.bytes(capacity: capacity) { json in
            func write(_ fields: ArraySlice<MemberIndex.Member>) {
                for field in fields { written.append(json.member(text, field)) }
            }
            json.open()
            write(fields.members[..<beforeEntries])
            json.begin("entries")
            json.open()
            entries = merge(changes, text: text, into: &json)
            json.close()
            write(fields.members[beforeEntries..<beforeVersion])
            json.member("schemaVersion", version)
            write(fields.members[beforeVersion...])
            json.close()
        }
        return StateDocument(text: bytes, fields: written, members: entries, version: version)
    }

    private func merge(
        _ changes: [StateChange], text: UnsafeBufferPointer<UInt8>, into json: inout JSONWriter
    ) -> [MemberIndex.Member] {
        var entries: [MemberIndex.Member] = []
        entries.reserveCapacity(members.members.count + changes.count)
        var next = 0
        for change in changes {
            let position = members.position(of: change.name, in: text)
            for member in members.members[next..<position] {
                entries.append(json.member(text, member))
            }
            let replaces = contains(change.name)
            next = position + (replaces ? 1 : 0)
            if let value = change.value { entries.append(json.member(change.name, value)) }
        }
        for member in members.members[next...] {
            entries.append(json.member(text, member))
        }
        return entries
    }
}
