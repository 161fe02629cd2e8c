import BackgroundWorkModel

/// A specification and its JSON. The agent stores the JSON as it has received it, with fields that it does not know.
package struct SpecificationDocument: Sendable {
    package let specification: TransferSpecification
    /// `nil` unless it was read by hand: only then its bounds in the message are known.
    private let received: String?

    package init(_ specification: TransferSpecification) {
        self.specification = specification
        received = nil
    }

    /// Reads a member of a message.
    init(_ name: StaticString, of message: JSONObject) throws {
        specification = try message.value(name)
        received = String(decoding: try message.raw(name), as: UTF8.self)
    }

    /// Reads back as a value that equals ``specification``.
    package var json: String {
        get throws { try received ?? FastJSON.text(of: specification) }
    }
}

/// By the specification alone: the order of members, white space and unknown fields have no meaning.
extension SpecificationDocument: Hashable {
    package static func == (one: SpecificationDocument, other: SpecificationDocument) -> Bool {
        one.specification == other.specification
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(specification) }
}

extension SpecificationDocument: Codable {
    package init(from decoder: any Decoder) throws { self.init(try TransferSpecification(from: decoder)) }

    package func encode(to encoder: any Encoder) throws { try specification.encode(to: encoder) }
}

extension SpecificationDocument: FastJSONEncodable {
    package func write(to json: inout JSONWriter) throws {
        if let received { json.raw(received) } else { try specification.write(to: &json) }
    }
}
