/// The members of an object in a JSON text and of the objects in it, found in one pass over the text.
///
/// It is stricter than a decoder, so that it reads the same values as a decoder: numbers are whole and written
/// without fraction and exponent, no requested name occurs twice, and objects are not nested deeper than
/// ``maximumDepth``. Everything else is a ``JSONMismatch``.
package struct JSONObject {
    package static let maximumDepth = 16

    /// Positions in the text, and an index, in half the usual size, so that the list of them is cheap to allocate.
    private struct Member {
        private let nameStart: UInt32
        private let nameEnd: UInt32
        private let valueStart: UInt32
        private var valueEnd: UInt32
        private var nextIndex: UInt32
        let hasEscapes: Bool

        /// For a value that starts at `start` and was not read yet.
        init(_ name: JSONScanner.Name, valueFrom start: Int, next: Int) {
            nameStart = UInt32(name.range.lowerBound)
            nameEnd = UInt32(name.range.upperBound)
            valueStart = UInt32(start)
            valueEnd = valueStart
            nextIndex = UInt32(next)
            hasEscapes = name.hasEscapes
        }

        mutating func end(at end: Int, next: Int) {
            valueEnd = UInt32(end)
            nextIndex = UInt32(next)
        }

        var name: Range<Int> { Int(nameStart)..<Int(nameEnd) }
        var value: Range<Int> { Int(valueStart)..<Int(valueEnd) }
        /// The index of the next member of the same object. The members of the value are between the two.
        var next: Int { Int(nextIndex) }
    }

    /// As many members as most texts have. With 24 bytes each, malloc allocates them quickly.
    private static let usualMembers = 40

    private let json: UnsafeBufferPointer<UInt8>
    /// The members of all objects of the text, in the order in which they were found.
    private let all: [Member]
    private let own: Range<Int>

    /// Reads a text that is one object.
    ///
    /// - Parameter json: must stay valid as long as the object and values taken from it are used.
    package init(_ json: UnsafeBufferPointer<UInt8>) throws {
        guard json.count < UInt32.max else { throw JSONMismatch() }
        var members: [Member] = []
        members.reserveCapacity(Self.usualMembers)
        try JSONScanner.scan(json) { try Self.collect(&$0, depth: 1, into: &members) }
        self.init(json: json, all: members, own: members.indices)
    }

    private init(json: UnsafeBufferPointer<UInt8>, all: [Member], own: Range<Int>) {
        self.json = json
        self.all = all
        self.own = own
    }

    private static func collect(_ scanner: inout JSONScanner, depth: Int, into members: inout [Member]) throws {
        guard depth <= maximumDepth else { throw JSONMismatch() }
        try scanner.members { scanner, name in
            let index = members.count
            let start = scanner.position
            members.append(Member(name, valueFrom: start, next: index))
            if scanner.isAtObject {
                try collect(&scanner, depth: depth + 1, into: &members)
            } else {
                _ = try scanner.value()
            }
            members[index].end(at: scanner.position, next: members.count)
        }
    }

    /// Whether all members have one of these names.
    package func hasOnly(_ names: StaticString...) -> Bool {
        var index = own.lowerBound
        while index < own.upperBound {
            guard names.contains(where: { isName(all[index], $0) }) else { return false }
            index = all[index].next
        }
        return true
    }

    // MARK: Fields

    package func string(_ name: StaticString) throws -> String { try string(at: try member(name)) }

    /// `nil` if there is no such field, or null.
    package func optionalString(_ name: StaticString) throws -> String? {
        try optionalMember(name).map { try string(at: $0) }
    }

    package func integer(_ name: StaticString) throws -> Int64 { try integer(at: try member(name)) }

    package func integer(_ name: StaticString) throws -> Int { try integer(at: try member(name)) }

    package func integer(_ name: StaticString) throws -> UInt64 { try integer(at: try member(name)) }

    /// `nil` if there is no such field, or null.
    package func optionalInteger(_ name: StaticString) throws -> Int64? {
        try optionalMember(name).map { try integer(at: $0) }
    }

    /// `nil` if there is no such field, or null.
    package func optionalInteger(_ name: StaticString) throws -> Int? {
        try optionalMember(name).map { try integer(at: $0) }
    }

    package func flag(_ name: StaticString) throws -> Bool { try flag(at: try member(name)) }

    /// `nil` if there is no such field, or null.
    package func optionalFlag(_ name: StaticString) throws -> Bool? {
        try optionalMember(name).map { try flag(at: $0) }
    }

    package func object(_ name: StaticString) throws -> JSONObject { try object(at: try member(name)) }

    /// `nil` if there is no such field, or null.
    package func optionalObject(_ name: StaticString) throws -> JSONObject? {
        try optionalMember(name).map { try object(at: $0) }
    }

    /// The field's value as written in the text.
    package func raw(_ name: StaticString) throws -> UnsafeBufferPointer<UInt8> { raw(at: try member(name)) }

    /// An array of strings; `nil` if there is no such field, or null. Not fast: such fields are rare.
    package func optionalStrings(_ name: StaticString) throws -> [String]? {
        try optionalMember(name).map { try JSONCoding.value(from: raw(at: $0)) }
    }

    package func value<Value: FastJSONDecodable>(_ name: StaticString) throws -> Value {
        try Value(json: try object(name))
    }

    /// The values of an array of objects.
    package func values<Value: FastJSONDecodable>(_ name: StaticString) throws -> [Value] {
        let array = try raw(name)
        var values: [Value] = []
        var members: [Member] = []
        try JSONScanner.scan(array) { scanner in
            try scanner.elements { scanner in
                members.removeAll(keepingCapacity: true)
                try Self.collect(&scanner, depth: 1, into: &members)
                values.append(try Value(json: JSONObject(json: array, all: members, own: members.indices)))
            }
        }
        return values
    }

    // MARK: All members

    /// The members of an object that contains only strings, each name once.
    package func strings() throws -> [String: String] {
        // At least this many: a member whose value is not a string may have members of its own.
        var strings = [String: String](minimumCapacity: own.count)
        var index = own.lowerBound
        while index < own.upperBound {
            let name = JSONString.text(of: slice(all[index].name))
            guard strings.updateValue(try string(at: index), forKey: name) == nil else { throw JSONMismatch() }
            index = all[index].next
        }
        return strings
    }

    /// The one member of an object that encodes a case of an enumeration: the case, and its associated values.
    package func onlyCase() throws -> (name: String, values: JSONObject) {
        guard let first = own.first, all[first].next == own.upperBound else { throw JSONMismatch() }
        return (JSONString.text(of: slice(all[first].name)), try object(at: first))
    }

    // MARK: Members by index

    private func member(_ name: StaticString) throws -> Int {
        guard let index = try find(name) else { throw JSONMismatch() }
        return index
    }

    private func optionalMember(_ name: StaticString) throws -> Int? {
        try find(name).flatMap { json[all[$0].value.lowerBound] == UInt8(ascii: "n") ? nil : $0 }
    }

    private func find(_ name: StaticString) throws -> Int? {
        var found: Int?
        var index = own.lowerBound
        while index < own.upperBound {
            if isName(all[index], name) {
                guard found == nil else { throw JSONMismatch() }
                found = index
            }
            index = all[index].next
        }
        return found
    }

    private func isName(_ found: Member, _ name: StaticString) -> Bool {
        guard found.hasEscapes else { return slice(found.name).spells(name) }
        return JSONString.content(of: JSONString.text(of: slice(found.name))).withUnsafeBufferPointer {
            $0.spells(name)
        }
    }

    private func slice(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: json[range])
    }

    private func raw(at index: Int) -> UnsafeBufferPointer<UInt8> { slice(all[index].value) }

    private func string(at index: Int) throws -> String {
        let value = all[index].value
        guard json[value.lowerBound] == UInt8(ascii: "\"") else { throw JSONMismatch() }
        return JSONString.text(of: slice(value.lowerBound + 1..<value.upperBound - 1))
    }

    private func integer<Value: FixedWidthInteger>(at index: Int) throws -> Value {
        guard let value = Value(plainJSON: raw(at: index)) else { throw JSONMismatch() }
        return value
    }

    private func flag(at index: Int) throws -> Bool {
        switch json[all[index].value.lowerBound] {
        case UInt8(ascii: "t"): return true
        case UInt8(ascii: "f"): return false
        default: throw JSONMismatch()
        }
    }

    private func object(at index: Int) throws -> JSONObject {
        guard json[all[index].value.lowerBound] == UInt8(ascii: "{") else { throw JSONMismatch() }
        return JSONObject(json: json, all: all, own: index + 1..<all[index].next)
    }
}
