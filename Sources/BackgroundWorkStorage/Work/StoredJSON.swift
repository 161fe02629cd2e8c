import BackgroundWorkModel

/// Small values kept as JSON in a column.
enum StoredJSON {
    static func encode(_ value: some Encodable) throws -> String { try JSONCoding.text(of: value) }

    static func decode<Value: Decodable>(_ text: String) -> Value? { try? JSONCoding.value(from: text) }
}
