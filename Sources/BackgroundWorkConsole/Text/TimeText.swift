/// A time that is left, in at most seven columns: `42s`, `3m07s`, `2h05m`, `4d`.
package enum TimeText {
    /// Rounded up, so that nothing is left "in 0s".
    package static func text(_ duration: Duration) -> String {
        let (whole, attoseconds) = duration.components
        let seconds = max(0, whole) + (attoseconds > 0 && whole >= 0 ? 1 : 0)
        return switch seconds {
        case ..<60: "\(seconds)s"
        case ..<3600: "\(seconds / 60)m\(twoDigits(seconds % 60))s"
        case ..<172_800: "\(seconds / 3600)h\(twoDigits(seconds / 60 % 60))m"
        case ..<8_640_000: "\(seconds / 86_400)d"
        default: ">99d"
        }
    }

    private static func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
