import BackgroundWorkFoundation

/// A number of a JSON text that no 64-bit integer and no double is near.
struct JSONNumberError: Error, CustomStringConvertible {
    let number: String

    var description: String { "the number \(number) is out of the range of a double" }
}

extension JSONValue {
    /// Reads a text, in a time that is linear in its length. Of equal names in an object the last one counts.
    ///
    /// Throws ``JSONSyntaxError`` when it is not JSON, and ``JSONNumberError``.
    init(json: UnsafeBufferPointer<UInt8>) throws {
        try JSONScanner.scan(json) { _ = try $0.value() }
        var reader = JSONValueReader(json)
        self = try reader.value()
    }
}

/// Builds the value of a text that ``JSONScanner`` has accepted, which limits how deep it is nested.
private struct JSONValueReader {
    private let json: UnsafeBufferPointer<UInt8>
    private var position = 0

    init(_ json: UnsafeBufferPointer<UInt8>) { self.json = json }

    mutating func value() throws -> JSONValue {
        skipSpace()
        switch json[position] {
        case UInt8(ascii: "{"): return .object(try members())
        case UInt8(ascii: "["): return .array(try elements())
        case UInt8(ascii: "\""): return .string(string())
        case UInt8(ascii: "t"):
            position += 4
            return .bool(true)
        case UInt8(ascii: "f"):
            position += 5
            return .bool(false)
        case UInt8(ascii: "n"):
            position += 4
            return .null
        default: return try number()
        }
    }

    private mutating func members() throws -> [JSONName: JSONValue] {
        var members: [JSONName: JSONValue] = [:]
        while !isPast(UInt8(ascii: "}")) {
            let name = JSONName(string())
            skipSpace()
            // The colon.
            position += 1
            members[name] = try value()
        }
        return members
    }

    private mutating func elements() throws -> [JSONValue] {
        var elements: [JSONValue] = []
        while !isPast(UInt8(ascii: "]")) { elements.append(try value()) }
        return elements
    }

    /// Passes the opening bracket or the comma, or the closing bracket.
    ///
    /// Returns whether the container has ended.
    private mutating func isPast(_ closing: UInt8) -> Bool {
        skipSpace()
        if json[position] != closing {
            position += 1
            skipSpace()
            // Only an empty container has its closing bracket there.
            guard json[position] == closing else { return false }
        }
        position += 1
        return true
    }

    private mutating func string() -> String {
        var strings = JSONStringScanner(json, at: position)
        _ = strings.pass()
        defer { position = strings.position }
        return JSONString.text(of: UnsafeBufferPointer(rebasing: json[position + 1..<strings.position - 1]))
    }

    private mutating func number() throws -> JSONValue {
        let start = position
        while position < json.count, "+-.0123456789Ee".utf8.contains(json[position]) { position += 1 }
        let text = String(decoding: json[start..<position], as: UTF8.self)
        if let integer = Int64(text) { return .integer(integer) }
        if let unsigned = UInt64(text) { return .unsigned(unsigned) }
        guard let number = Double(text), number.isFinite else { throw JSONNumberError(number: text) }
        if let integer = Int64(exactly: number) { return .integer(integer) }
        if let unsigned = UInt64(exactly: number) { return .unsigned(unsigned) }
        return .number(number)
    }

    private mutating func skipSpace() {
        while position < json.count, " \n\r\t".utf8.contains(json[position]) { position += 1 }
    }
}
