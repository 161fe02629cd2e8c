/// Decides whether to open another connection, from the speed of the existing ones. Pure.
struct ConnectionGrowth: Sendable, Hashable {
    /// Connections need some time to reach their full speed.
    static let sampleSeconds = 2.0
    private static let worthwhileSeconds = 4.0
    private static let worthwhileBytes: Int64 = 8 << 20
    private static let worthwhileGain = 1.1

    let maximum: Int
    private var rateBefore: Double?
    /// After an additional connection has not increased the speed, no other is opened.
    private(set) var isSettled = false

    init(maximum: Int) {
        self.maximum = maximum
        isSettled = maximum <= 1
    }

    /// - Parameters:
    ///   - bytesPerSecond: Over all connections, since the last sample.
    ///   - bytesLeft: Missing bytes of the whole file.
    mutating func wantsAnother(connections: Int, bytesPerSecond: Double, bytesLeft: Int64) -> Bool {
        guard !isSettled, connections < maximum, connections > 0, bytesPerSecond > 0 else { return false }
        guard bytesLeft >= Self.worthwhileBytes, Double(bytesLeft) / bytesPerSecond > Self.worthwhileSeconds else {
            return false
        }
        if let rateBefore, bytesPerSecond < rateBefore * Self.worthwhileGain {
            isSettled = true
            return false
        }
        rateBefore = bytesPerSecond
        return true
    }
}
