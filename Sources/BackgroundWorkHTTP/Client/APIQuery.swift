import BackgroundWorkTransfers

/// The query of a request: names and values, in their order. Each is plain text and percent-encoded (RFC 3986), spaces
/// as `%20` and `+` as `%2B`.
///
/// ```swift
/// try await client.get("search", query: ["q": text, "tag": "a", "tag": "b"])
/// ```
public struct APIQuery: Sendable, Hashable {
    private var items: [[String]] = []

    /// An empty query.
    public init() {}

    /// Adds an item; a name may occur several times. `nil` adds nothing.
    public mutating func add(_ name: String, _ value: String?) {
        if let value { items.append([name, value]) }
    }

    var isEmpty: Bool { items.isEmpty }

    /// Without a question mark.
    var encoded: String {
        items.map { $0.map { PercentEncoding.component($0) }.joined(separator: "=") }.joined(separator: "&")
    }
}

extension APIQuery: ExpressibleByDictionaryLiteral {
    /// The items in the order of the literal; those that are `nil` are left out.
    public init(dictionaryLiteral elements: (String, String?)...) {
        for (name, value) in elements { add(name, value) }
    }
}

extension APIQuery: CustomStringConvertible, CustomReflectable {
    /// The names; values may be secrets.
    public var description: String { items.map { "\($0[0].printable)=…" }.joined(separator: "&") }

    /// As ``description``.
    public var customMirror: Mirror {
        Mirror(self, children: items.map { ($0[0].printable, "…") }, displayStyle: .struct)
    }
}
