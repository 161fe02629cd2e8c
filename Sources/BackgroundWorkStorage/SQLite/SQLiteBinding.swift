/// A value bound to a statement's parameter.
package enum SQLiteBinding: Sendable {
    case null
    case int(Int64)
    case text(String)

    package static func int(_ value: Int) -> SQLiteBinding { .int(Int64(value)) }

    package static func optional(_ text: String?) -> SQLiteBinding { text.map(SQLiteBinding.text) ?? .null }

    package static func optional(_ integer: Int64?) -> SQLiteBinding { integer.map(SQLiteBinding.int) ?? .null }
}
