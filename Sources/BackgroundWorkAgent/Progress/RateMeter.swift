/// The recent speed of a transfer: an average in which what is long ago counts little. Pure.
struct RateMeter: Sendable, Hashable {
    /// After so many seconds a change of speed has had most of its effect.
    private static let settlingSeconds = 3.0

    private var bytes: Int64?
    private(set) var bytesPerSecond: Double?

    /// - Parameter seconds: Since the last look.
    mutating func note(bytes now: Int64, after seconds: Double) {
        defer { bytes = now }
        guard let bytes, seconds > 0 else { return }
        let rate = Double(max(0, now - bytes)) / seconds
        guard let known = bytesPerSecond else {
            bytesPerSecond = rate
            return
        }
        let weight = min(1, seconds / Self.settlingSeconds)
        bytesPerSecond = known + (rate - known) * weight
    }
}
