import BackgroundWorkTransfers

/// The header fields of a request or a response, in their order. Names are compared without regard to case (RFC 9110,
/// section 5.1).
public struct HTTPHeaders: Sendable, Hashable {
    /// A header field.
    public struct Field: Sendable, Hashable {
        /// As written.
        public var name: String
        /// Without blanks around it.
        public var value: String

        /// Creates a field. It is checked when a request with it is sent.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// All fields. A name may occur several times.
    public private(set) var fields: [Field]

    /// No fields, or those given.
    public init(_ fields: [Field] = []) { self.fields = fields }

    /// The value of the field; of several with the name, their values with commas between (RFC 9110, section 5.3). To set
    /// it replaces all fields of the name; `nil` removes them.
    public subscript(name: String) -> String? {
        get {
            let values = values(of: name)
            return values.isEmpty ? nil : values.joined(separator: ", ")
        }
        set {
            let index = fields.firstIndex { Self.isSame($0.name, name) }
            fields.removeAll { Self.isSame($0.name, name) }
            guard let newValue else { return }
            fields.insert(Field(name: name, value: newValue), at: min(index ?? fields.count, fields.count))
        }
    }

    /// The values of all fields of the name, as `Set-Cookie` needs them.
    public func values(of name: String) -> [String] {
        fields.compactMap { Self.isSame($0.name, name) ? $0.value : nil }
    }

    /// Adds a field beside those of the same name.
    public mutating func add(name: String, value: String) { fields.append(Field(name: name, value: value)) }

    /// Takes over the fields of `others`, in place of those of the same names.
    public mutating func replace(with others: HTTPHeaders) {
        fields.removeAll { field in others.fields.contains { Self.isSame($0.name, field.name) } }
        fields += others.fields
    }

    private static func isSame(_ one: String, _ other: String) -> Bool {
        one.utf8.count == other.utf8.count && one.lowercased() == other.lowercased()
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// The fields in the order of the literal.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { Field(name: $0.0, value: $0.1) })
    }
}

extension HTTPHeaders.Field: CustomStringConvertible, CustomReflectable {
    /// The field as a line. The value of one whose name speaks of a secret is `…`; a URL is shortened.
    public var description: String { "\(name.printable): \(shownValue)" }

    /// As ``description``.
    public var customMirror: Mirror {
        Mirror(self, children: ["name": name.printable, "value": shownValue], displayStyle: .struct)
    }

    fileprivate var shownValue: String {
        if SecretHeader.isSecret(name) { return "…" }
        return Self.addresses.contains(name.lowercased()) ? ShownURL.text(value) : ShownParts.url(value).printable
    }

    /// Whose values are URLs, also relative ones.
    private static let addresses: Set<String> = ["content-location", "location", "referer"]
}

extension HTTPHeaders: CustomStringConvertible {
    /// The fields, a line each, without the values of those that speak of a secret.
    public var description: String { fields.map(\.description).joined(separator: "\n") }
}

extension HTTPHeaders: CustomReflectable {
    /// Without the values of those that speak of a secret.
    public var customMirror: Mirror {
        Mirror(
            self, children: fields.map { ($0.name.printable, $0.shownValue) }, displayStyle: .struct)
    }
}
