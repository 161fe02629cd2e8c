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
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                try self.value(element)
            }
            bytes.append(UInt8(ascii: "]"))
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
