import BackgroundWorkFoundation

/// Writes a JSON text, value after value, into one buffer; ``FastJSON`` creates it.
///
/// The caller ensures that each member of an object is a name and one value.
package struct JSONWriter {
    /// The bytes before the text, and the text so far.
    package var bytes: [UInt8]

    /// - Parameters:
    ///   - capacity: in bytes.
    ///   - bytes: what comes before the text.
    init(capacity: Int, after bytes: [UInt8]) {
        self.bytes = bytes
        self.bytes.reserveCapacity(capacity)
    }

    // MARK: Objects

    package mutating func open() { bytes.append(UInt8(ascii: "{")) }

    package mutating func close() { bytes.append(UInt8(ascii: "}")) }

    /// Starts a member, whose value comes next.
    ///
    /// - Parameter name: as it is written between the quotes of a JSON string.
    /// - Returns: the position of the name.
    @discardableResult
    package mutating func begin(_ name: UnsafeBufferPointer<UInt8>) -> Range<Int> {
        // No value ends with this bracket.
        if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
        bytes.append(UInt8(ascii: "\""))
        let start = bytes.count
        bytes.append(contentsOf: name)
        let range = start..<bytes.count
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        return range
    }

    /// - Parameter name: without characters that are escaped in JSON.
    package mutating func begin(_ name: StaticString) {
        begin(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    }

    // MARK: Members

    package mutating func member(_ name: StaticString, _ text: String) {
        begin(name)
        string(text)
    }

    package mutating func member(_ name: StaticString, _ number: Int64) {
        begin(name)
        integer(number)
    }

    package mutating func member(_ name: StaticString, _ number: Int) {
        begin(name)
        integer(Int64(number))
    }

    package mutating func member(_ name: StaticString, _ number: UInt64) {
        begin(name)
        digits(number)
    }

    /// JSON cannot represent numbers that are not finite: such a number is written as null.
    package mutating func member(_ name: StaticString, _ number: Double) {
        begin(name)
        var text = number.isFinite ? "\(number)" : "null"
        text.withUTF8 { bytes.append(contentsOf: $0) }
    }

    package mutating func member(_ name: StaticString, _ flag: Bool) {
        begin(name)
        bytes.append(contentsOf: flag ? Self.yes : Self.no)
    }

    package mutating func member(_ name: StaticString, _ value: some FastJSONEncodable) throws {
        begin(name)
        try value.write(to: &self)
    }

    /// A value that is written by the encoder.
    package mutating func member(_ name: StaticString, encoding value: some Encodable) throws {
        begin(name)
        try encoded(value)
    }

    // MARK: Values

    package mutating func string(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        JSONString.append(text, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    package mutating func integer(_ number: Int64) {
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        digits(number.magnitude)
    }

    private mutating func digits(_ number: UInt64) {
        var divisor: UInt64 = 1
        while number / divisor > 9 { divisor *= 10 }
        while divisor > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / divisor % 10))
            divisor /= 10
        }
    }

    /// - Parameter write: writes one element.
    package mutating func array<Element>(
        _ elements: [Element], _ write: (inout JSONWriter, Element) throws -> Void
    ) rethrows {
        bytes.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            try write(&self, element)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    /// An array of texts.
    package mutating func strings(_ texts: [String]) { array(texts) { $0.string($1) } }

    /// An object of texts.
    ///
    /// - Parameter sorted: whether its members are in the order of their names' bytes, as the encoder's are.
    package mutating func strings(_ texts: [String: String], sorted: Bool = false) {
        open()
        if sorted {
            let ordered = texts.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            for (name, text) in ordered { member(name: name, text) }
        } else {
            for (name, text) in texts { member(name: name, text) }
        }
        close()
    }

    private mutating func member(name: String, _ text: String) {
        if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
        string(name)
        bytes.append(UInt8(ascii: ":"))
        string(text)
    }

    /// - Parameter json: one value.
    package mutating func raw(_ json: UnsafeBufferPointer<UInt8>) { bytes.append(contentsOf: json) }

    /// - Parameter json: one value.
    package mutating func raw(_ json: String) {
        var json = json
        json.withUTF8 { raw($0) }
    }

    /// A value that is written by the encoder.
    package mutating func encoded(_ value: some Encodable) throws {
        bytes.append(contentsOf: try JSONCoding.data(of: value))
    }

    private static let yes = Array("true".utf8)
    private static let no = Array("false".utf8)
}

extension JSONWriter {
    /// As the encoder writes it: members in the order of their names, numbers as short as possible.
    package mutating func value(_ value: JSONValue) throws {
        switch value {
        case .null: raw("null")
        case .bool(let flag): raw(flag ? "true" : "false")
        case .integer(let integer): self.integer(integer)
        case .unsigned(let unsigned): raw("\(unsigned)")
        case .number(let number): try encoded(number)
        case .string(let text): string(text)
        case .array(let elements): try array(elements) { try $0.value($1) }
        case .object(let members):
            open()
            for (index, (name, member)) in members.sorted(by: { $0.key < $1.key }).enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                string(name.text)
                bytes.append(UInt8(ascii: ":"))
                try self.value(member)
            }
            close()
        }
    }
}
