/// Any JSON value, for documents of which only a part is known and the rest must be kept as it is.
package enum JSONValue: Sendable, Hashable, Codable {
    case null
    case bool(Bool)
    case integer(Int64)
    case unsigned(UInt64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([JSONName: JSONValue])

    /// The document, and a member of it, is read from its text if ``JSONCoding`` decodes it: a decoder that has to try one
    /// type after the other takes a time that grows with the cube of the depth, and makes one of two names that differ
    /// in nothing but their composition.
    package init(from decoder: any Decoder) throws {
        if let value = try JSONDocument.value(at: decoder) {
            self = value
            return
        }
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self = .string(text)
        } else if let integer = try? container.decode(Int64.self) {
            self = .integer(integer)
        } else if let unsigned = try? container.decode(UInt64.self) {
            self = .unsigned(unsigned)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let flag = try? container.decode(Bool.self) {
            self = .bool(flag)
        } else if let members = try? decoder.container(keyedBy: JSONName.self) {
            var object: [JSONName: JSONValue] = [:]
            for name in members.allKeys { object[name] = try members.decode(JSONValue.self, forKey: name) }
            self = .object(object)
        } else if let elements = try? container.decode([JSONValue].self) {
            self = .array(elements)
        } else if container.decodeNil() {
            self = .null
        } else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a JSON value")
        }
    }

    package func encode(to encoder: any Encoder) throws {
        if case .object(let members) = self {
            var container = encoder.container(keyedBy: JSONName.self)
            for (name, member) in members { try container.encode(member, forKey: name) }
            return
        }
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let flag): try container.encode(flag)
        case .integer(let integer): try container.encode(integer)
        case .unsigned(let unsigned): try container.encode(unsigned)
        case .number(let number): try container.encode(number)
        case .string(let text): try container.encode(text)
        case .array(let elements): try container.encode(elements)
        case .object: break
        }
    }

    /// The members, if this is an object.
    package var members: [JSONName: JSONValue]? {
        if case .object(let members) = self { members } else { nil }
    }
}
