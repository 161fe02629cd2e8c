import BackgroundWorkSystem

extension UnsafeBufferPointer<UInt8> {
    /// Whether these bytes are equal to those of a word.
    package func spells(_ word: StaticString) -> Bool {
        guard count == word.utf8CodeUnitCount else { return false }
        guard let baseAddress, count > 0 else { return true }
        return memcmp(baseAddress, word.utf8Start, count) == 0
    }

    package func isEqual(to other: UnsafeBufferPointer<UInt8>) -> Bool {
        count == other.count && order(before: other) == 0
    }

    /// Below zero if these bytes come before the others, above if after, zero if they are equal.
    package func order(before other: UnsafeBufferPointer<UInt8>) -> Int {
        let common = Swift.min(count, other.count)
        if common > 0, let left = baseAddress, let right = other.baseAddress {
            let order = memcmp(left, right, common)
            if order != 0 { return Int(order) }
        }
        return count - other.count
    }
}
