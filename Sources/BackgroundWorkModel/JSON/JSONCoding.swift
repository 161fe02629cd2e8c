import BackgroundWorkFoundation
import Synchronization

/// Values as JSON: types with their own reader and writer use those, all others Foundation's coders.
package enum JSONCoding {
    package static func text(of value: some FastJSONCodable) throws -> String {
        var json = JSONWriter()
        try value.write(to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    package static func text(of value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }

    /// Members sorted by name and slashes not escaped, so that equal values give equal texts.
    ///
    /// - Throws: the encoder's error, or the value's own.
    package static func orderedText(of value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// Why a value could not be encoded, for messages.
    package static func words(for error: any Error) -> String { (error as? EncodingError)?.inWords ?? "\(error)" }

    /// Why a value could not be decoded, for messages.
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

    /// Decodes a value inside a text that is read by hand. Of equal names in an object the last one counts.
    package static func decoded<Value: Decodable>(
        _ type: Value.Type = Value.self, from json: UnsafeBufferPointer<UInt8>
    ) throws -> Value {
        try JSONDecoder().decode(type, from: JSONDoubledNames.removed(from: json).map { Data($0) } ?? Data(json))
    }
}

/// A value that is a JSON object and reads it itself: many times faster than its `Decodable` conformance does through
/// a decoder, and with the same result.
///
/// ``JSONCoding`` uses the decoder for what the value does not read itself.
package protocol HandDecodable: Decodable {
    /// - Throws: a ``JSONMismatch`` on what only the decoder can judge: an earlier version's form, or an error. A
    ///   value that is read equals the one that the decoder would read.
    init(json: JSONObject) throws
}

/// A value that also writes its JSON itself.
package protocol FastJSONCodable: HandDecodable, Encodable {
    /// Writes the value as one object, which the decoder reads as well.
    func write(to json: inout JSONWriter) throws
}

/// A JSON text that ``FastJSONCodable`` does not read by hand. The decoder decides whether it is wrong.
package struct JSONMismatch: Error {
    package init() {}
}

/// Decodes a value that most texts of a sequence share, and reuses the last one when the same bytes come again.
///
/// It keeps only one value, as long as the process lives: the value may contain credentials.
package final class LastDecoded<Value: Sendable>: Sendable {
    private struct Entry {
        var json: [UInt8]
        var value: Value
    }

    private let last = Mutex<Entry?>(nil)

    private let decode: @Sendable (UnsafeBufferPointer<UInt8>) throws -> Value

    package init(decode: @escaping @Sendable (UnsafeBufferPointer<UInt8>) throws -> Value) { self.decode = decode }

    /// - Throws: the decoder's error.
    package func value(from json: UnsafeBufferPointer<UInt8>) throws -> Value {
        let known = last.withLock { entry in
            entry.flatMap { entry in
                entry.json.withUnsafeBufferPointer { $0.isEqual(to: json) } ? entry.value : nil
            }
        }
        if let known { return known }
        let value = try decode(json)
        let entry = Entry(json: Array(json), value: value)
        last.withLock { $0 = entry }
        return value
    }
}

extension LastDecoded where Value: Decodable {
    package convenience init() { self.init { try JSONCoding.decoded(from: $0) } }
}
