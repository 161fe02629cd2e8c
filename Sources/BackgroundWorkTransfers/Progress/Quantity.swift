/// Bytes as people read them: `12.3 MB`, a megabyte being 1,000,000 bytes.
package enum Quantity {
    /// Of one number.
    package static func text(_ bytes: Int64) -> String {
        let unit = unit(for: bytes)
        return "\(number(bytes, unit.size)) \(unit.name)"
    }

    /// Of a part and a whole in one unit, `12.3/50.0 MB`; of the part alone while the whole is unknown.
    ///
    /// - Parameter separator: what stands between the two, with its blanks.
    package static func text(_ bytes: Int64, of total: Int64?, separator: String = "/") -> String {
        guard let total else { return text(bytes) }
        let unit = unit(for: total)
        return "\(number(bytes, unit.size))\(separator)\(number(total, unit.size)) \(unit.name)"
    }

    /// A speed; empty while nothing moves.
    package static func rate(_ bytesPerSecond: Int64?) -> String { bytesPerSecond.map { text($0) + "/s" } ?? "" }

    /// ` 45%`; empty while the whole is unknown. Cut: 100 means all.
    package static func percent(_ fraction: Double?) -> String { fraction.map { "\(Int($0 * 100))%" } ?? "" }

    private static func unit(for bytes: Int64) -> (size: Int64, name: String) {
        switch bytes {
        case ..<1000: (1, "B")
        case ..<1_000_000: (1000, "kB")
        case ..<1_000_000_000: (1_000_000, "MB")
        case ..<1_000_000_000_000: (1_000_000_000, "GB")
        default: (1_000_000_000_000, "TB")
        }
    }

    /// With one digit behind the point, cut: what is not there yet is not promised.
    private static func number(_ bytes: Int64, _ unit: Int64) -> String {
        let bytes = max(0, bytes)
        if unit == 1 { return "\(bytes)" }
        let tenths = bytes / (unit / 10)
        return "\(tenths / 10).\(tenths % 10)"
    }
}
