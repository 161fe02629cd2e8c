extension Int64 {
    /// The value of a JSON number, `7.0` and `1e3` included; `nil` for every other JSON value, and for a number that
    /// is not whole or does not fit.
    ///
    /// - Parameter json: a value that ``JSONScanner`` has passed over.
    package init?(json: UnsafeBufferPointer<UInt8>) {
        guard let first = json.first, first == UInt8(ascii: "-") || (0x30...0x39).contains(first) else { return nil }
        let text = String(decoding: json, as: UTF8.self)
        if let integer = Int64(text) {
            self = integer
        } else if text.utf8.contains(where: { $0 == 0x2e || $0 | 0x20 == 0x65 }), let number = Double(text),
            let integer = Int64(exactly: number)
        {
            self = integer
        } else {
            return nil
        }
    }
}
