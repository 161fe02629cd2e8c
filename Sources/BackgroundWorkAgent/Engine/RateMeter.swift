/// The recent speed of a transfer: an average in which old samples count little. Pure.
struct RateMeter: Sendable, Hashable {
    /// After this many seconds the average mostly reflects a change of speed.
    private static let settlingSeconds = 3.0

    private var bytes: Int64?
    /// Since the first byte came.
    private var movingSeconds = 0.0
    private(set) var bytesPerSecond: Double?

    /// - Parameter seconds: Since the last sample.
    mutating func note(bytes now: Int64, after seconds: Double) {
        defer { bytes = now }
        guard let bytes, seconds > 0 else { return }
        let rate = Double(max(0, now - bytes)) / seconds
        // The wait for the first byte does not count for the speed after it.
        guard movingSeconds > 0 || rate > 0 else {
            bytesPerSecond = 0
            return
        }
        movingSeconds += seconds
        // At first this is the mean of all bytes so far.
        let weight = min(1, seconds / min(movingSeconds, Self.settlingSeconds))
        let known = bytesPerSecond ?? 0
        bytesPerSecond = known + (rate - known) * weight
    }
}
