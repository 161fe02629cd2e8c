extension FixedWidthInteger {
    /// The value of a JSON number that is spelled with digits alone, after a minus if it is negative; `nil` for every
    /// other JSON value, and for a number that does not fit.
    ///
    /// - Parameter json: a value that ``JSONScanner`` has passed over.
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
