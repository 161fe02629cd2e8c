#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Values as JSON: those that read and write it themselves, and all others through Foundation's coders.
package enum JSONCoding {
    package static func text(of value: some FastJSONCodable) throws -> String {
        var json = JSONWriter()
        try value.write(to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    package static func text(of value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }

    /// Members in the order of their names and slashes as they are, so that equal values give equal texts.
    ///
    /// - Throws: the encoder's error, or the value's own.
    package static func orderedText(of value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// What kept a value from being encoded, for messages.
    package static func words(for error: any Error) -> String { (error as? EncodingError)?.inWords ?? "\(error)" }

    /// What kept a value from being decoded, for messages.
    package static func words(for error: any Error, in json: String) -> String {
        (error as? DecodingError)?.inWords(of: json) ?? "\(error)"
    }

    /// - Throws: the decoder's error.
    package static func value<Value: HandDecodable>(
        _ type: Value.Type = Value.self, from json: UnsafeBufferPointer<UInt8>
    ) throws -> Value {
        if let value = try? Value(json: JSONObject(json)) { return value }
        return try decoded(from: json)
    }

    /// - Throws: the decoder's error.
    package static func value<Value: HandDecodable>(_ type: Value.Type = Value.self, from json: String) throws -> Value
    {
        var json = json
        return try json.withUTF8 { try value(from: $0) }
    }

    /// - Throws: the decoder's error.
    package static func value<Value: Decodable>(_ type: Value.Type = Value.self, from json: String) throws -> Value {
        var json = json
        return try json.withUTF8 { try decoded(from: $0) }
    }

    /// A value that stands in a text read by hand. Of equal names in an object the last one counts.
    package static func decoded<Value: Decodable>(
        _ type: Value.Type = Value.self, from json: UnsafeBufferPointer<UInt8>
    ) throws -> Value {
        try JSONDecoder().decode(type, from: JSONDoubledNames.removed(from: json).map { Data($0) } ?? Data(json))
    }
}
