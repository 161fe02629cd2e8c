extension FixedWidthInteger {
    /// The value of a JSON number that consists of digits alone, after a minus if it is negative; `nil` for every
    /// other JSON value, and for a number that does not fit.
    ///
    /// - Parameter json: a value that ``JSONScanner`` has scanned.
    @inlinable
    package init?(plainJSON json: UnsafeBufferPointer<UInt8>) {
        let isNegative = json.first == UInt8(ascii: "-")
        guard json.count > (isNegative ? 1 : 0), Self.isSigned || !isNegative else { return nil }
        var value: Self = 0
        for position in (isNegative ? 1 : 0)..<json.count {
            let digit = json[position] &- 0x30
            guard digit < 10 else { return nil }
            let (tens, isTooLong) = value.multipliedReportingOverflow(by: 10)
            let (next, isTooLarge) =
                isNegative
                ? tens.subtractingReportingOverflow(Self(truncatingIfNeeded: digit))
                : tens.addingReportingOverflow(Self(truncatingIfNeeded: digit))
            guard !isTooLong, !isTooLarge else { return nil }
            value = next
        }
        self = value
    }
}

extension Int64 {
    /// The value of a JSON number, `7.0` and `1e3` included; `nil` for every other JSON value, and for a number that
    /// is not whole or does not fit.
    ///
    /// - Parameter json: a value that ``JSONScanner`` has scanned.
    package init?(json: UnsafeBufferPointer<UInt8>) {
        if let plain = Int64(plainJSON: json) {
            self = plain
            return
        }
        guard let first = json.first, first == UInt8(ascii: "-") || (0x30...0x39).contains(first),
            json.contains(where: { $0 == 0x2e || $0 | 0x20 == 0x65 }),
            let number = Double(String(decoding: json, as: UTF8.self)), let integer = Int64(exactly: number)
        else { return nil }
        self = integer
    }
}
