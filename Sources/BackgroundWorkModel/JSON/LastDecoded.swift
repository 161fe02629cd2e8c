import Synchronization

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
    package convenience init() { self.init { try JSONCoding.value(from: $0) } }
}
