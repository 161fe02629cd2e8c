import BackgroundWorkFoundation

/// Generates ids: UUIDs of version 7 (RFC 9562, 5.7), which start with the time. So new ids are adjacent in an index,
/// and a store does not write another page for each.
package enum WorkIdentifier {
    /// In lower case.
    package static func make(at date: Date) -> String {
        var random = SystemRandomNumberGenerator()
        let milliseconds = UInt64(clamping: WallTime(date).milliseconds) & 0xffff_ffff_ffff
        let high = milliseconds << 16 | 0x7000 | (random.next() as UInt64) & 0x0fff
        let low = 0x8000_0000_0000_0000 | (random.next() as UInt64) >> 2
        return text(high, low)
    }

    private static func text(_ high: UInt64, _ low: UInt64) -> String {
        String(unsafeUninitializedCapacity: 36) { buffer in
            var place = 0
            for index in 0..<32 {
                // 8-4-4-4-12
                if index == 8 || index == 12 || index == 16 || index == 20 {
                    buffer[place] = UInt8(ascii: "-")
                    place += 1
                }
                let word = index < 16 ? high : low
                let digit = UInt8(truncatingIfNeeded: word >> UInt64(60 - index % 16 * 4)) & 0xf
                buffer[place] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
                place += 1
            }
            return place
        }
    }
}
