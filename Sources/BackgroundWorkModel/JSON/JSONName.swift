/// The name of a member of a JSON object. Two names are equal if they have the same characters of Unicode: unlike texts
/// in Swift, not if one is composed ("é") and the other is not.
package struct JSONName: Sendable, Hashable, Comparable, CodingKey, ExpressibleByStringLiteral {
    package let text: String

    package init(_ text: String) { self.text = text }
    package init(stringLiteral text: String) { self.text = text }
    package init?(stringValue: String) { text = stringValue }
    package init?(intValue: Int) { return nil }

    package var stringValue: String { text }
    package var intValue: Int? { nil }

    package static func == (one: JSONName, other: JSONName) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }

    /// By their bytes.
    package static func < (one: JSONName, other: JSONName) -> Bool {
        one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
    }
}
