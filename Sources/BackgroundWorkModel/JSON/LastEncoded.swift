import Synchronization

/// Encodes a value that most of a sequence share, and reuses the last text when the same value comes again.
package final class LastEncoded<Value: Encodable & Equatable & Sendable>: Sendable {
    private struct Entry: Sendable {
        var value: Value
        var text: String
    }

    private let last = Mutex<Entry?>(nil)

    package init() {}

    /// - Throws: the encoder's error.
    package func text(of value: Value) throws -> String {
        if let known = last.withLock({ $0.flatMap { $0.value == value ? $0.text : nil } }) { return known }
        let text = try JSONCoding.text(of: value)
        last.withLock { $0 = Entry(value: value, text: text) }
        return text
    }
}
