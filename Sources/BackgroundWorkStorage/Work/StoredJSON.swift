#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Small values kept as JSON in a column.
enum StoredJSON {
    static func encode(_ value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }

    static func decode<Value: Decodable>(_ text: String) -> Value? {
        try? JSONDecoder().decode(Value.self, from: Data(text.utf8))
    }
}
