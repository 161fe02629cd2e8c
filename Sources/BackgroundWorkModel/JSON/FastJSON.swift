/// JSON that a type writes and reads itself: for what comes with each work item or each transfer, where a benchmark has
/// shown that Foundation's coders cost too much (`bgwork-bench frames`, `state` and `queue`).
///
/// Everything else goes through ``JSONCoding``.
package enum FastJSON {
    /// - Parameters:
    ///   - capacity: in bytes. Most texts fit into the default one, which malloc allocates quickly, the array's header
    ///     included.
    ///   - write: writes one value.
    package static func text(
        capacity: Int = 960, _ write: (inout JSONWriter) throws -> Void
    ) rethrows -> String {
        String(decoding: try bytes(capacity: capacity, write), as: UTF8.self)
    }

    package static func text(of value: some FastJSONEncodable) throws -> String {
        try text { try value.write(to: &$0) }
    }

    /// - Parameters:
    ///   - capacity: in bytes.
    ///   - prefix: what comes before the text.
    ///   - write: writes one value.
    package static func bytes(
        capacity: Int = 960, after prefix: [UInt8] = [], _ write: (inout JSONWriter) throws -> Void
    ) rethrows -> [UInt8] {
        var json = JSONWriter(capacity: capacity, after: prefix)
        try write(&json)
        return json.bytes
    }

    /// - Throws: the decoder's error.
    package static func value<Value: FastJSONDecodable>(
        _ type: Value.Type = Value.self, from json: UnsafeBufferPointer<UInt8>
    ) throws -> Value {
        if let value = try? Value(json: JSONObject(json)) { return value }
        return try JSONCoding.value(from: json)
    }

    /// - Throws: the decoder's error.
    package static func value<Value: FastJSONDecodable>(
        _ type: Value.Type = Value.self, from json: String
    ) throws -> Value {
        var json = json
        return try json.withUTF8 { try value(from: $0) }
    }
}

/// A value that writes its JSON itself: many times faster than the encoder, and the same to a decoder.
package protocol FastJSONEncodable: Encodable {
    /// Writes the value as one object, which the decoder reads as well.
    func write(to json: inout JSONWriter) throws
}

/// A value that is a JSON object and reads it itself: many times faster than its `Decodable` conformance does through
/// a decoder, and with the same result.
///
/// ``FastJSON`` uses the decoder for what the value does not read itself.
package protocol FastJSONDecodable: Decodable {
    /// - Throws: a ``JSONMismatch`` on what only the decoder can judge: an earlier version's form, or an error. A
    ///   value that is read equals the one that the decoder would read.
    init(json: JSONObject) throws
}

package typealias FastJSONCodable = FastJSONEncodable & FastJSONDecodable

/// A JSON text that ``FastJSONDecodable`` does not read by hand. The decoder decides whether it is wrong.
package struct JSONMismatch: Error {
    package init() {}
}
