import BackgroundWorkFoundation

/// JSON by Foundation's coders: for everything but what ``FastJSON`` is for. No other code uses the coders, except for
/// `APIClient`, whose coders are its user's, and benchmarks that can be built with earlier versions of the package.
package enum JSONCoding {
    /// Members in the order of their names and slashes not escaped, so that equal values give equal texts.
    ///
    /// - Throws: the encoder's error, or the value's own.
    package static func text(of value: some Encodable) throws -> String {
        String(decoding: try data(of: value), as: UTF8.self)
    }

    /// The same for a value of texts, whole numbers and finite ones only, which can always be written.
    package static func certainText(of value: some Encodable) -> String { (try? text(of: value)) ?? "null" }

    /// The bytes of ``text(of:)``.
    static func data(of value: some Encodable) throws -> Data {
        if let value = value as? JSONValue { return Data(try FastJSON.bytes { try $0.value(value) }) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value)
    }

    /// Of equal names in an object the last one counts.
    ///
    /// - Throws: the decoder's error.
    package static func value<Value: Decodable>(
        _ type: Value.Type = Value.self, from json: UnsafeBufferPointer<UInt8>
    ) throws -> Value {
        let document = Data(json)
        let decoder = JSONDecoder()
        if let key = JSONDocument.key { decoder.userInfo[key] = JSONDocument(bytes: document) }
        return try decoder.decode(type, from: JSONDoubledNames.removed(from: json).map { Data($0) } ?? document)
    }

    /// Of equal names in an object the last one counts.
    ///
    /// - Throws: the decoder's error.
    package static func value<Value: Decodable>(_ type: Value.Type = Value.self, from json: String) throws -> Value {
        var json = json
        return try json.withUTF8 { try value(from: $0) }
    }

    /// Why a value could not be encoded, for messages.
    package static func words(for error: any Error) -> String { (error as? EncodingError)?.inWords ?? "\(error)" }

    /// Why a value could not be decoded, for messages.
    package static func words(for error: any Error, in json: String) -> String {
        (error as? DecodingError)?.inWords(of: json) ?? "\(error)"
    }
}
