import BackgroundWorkTransfers

/// How far several transfers are together.
public struct TransferTotals: Sendable, Hashable {
    /// The bytes of the files that have been moved.
    public var bytes: Int64 = 0
    /// The length of all the files; `nil` while that of one is unknown.
    public var totalBytes: Int64? = 0
    /// The recent speed of those that are moving; `nil` while none is.
    public var bytesPerSecond: Int64?

    /// Nothing.
    public init() {}

    /// From 0 to 1; `nil` while a length is unknown, or when there is nothing.
    public var fraction: Double? {
        guard let totalBytes, totalBytes > 0 else { return nil }
        return TransferPace.fraction(bytes, of: totalBytes)
    }

    /// At the recent speed; `nil` while that or a length is unknown.
    public var timeLeft: Duration? {
        TransferPace.timeLeft(bytes, of: totalBytes, bytesPerSecond: bytesPerSecond)
    }

    mutating func add(bytes: Int64, of total: Int64?, bytesPerSecond rate: Int64?) {
        self.bytes += bytes
        totalBytes = total.flatMap { total in totalBytes.map { $0 + total } }
        if let rate { bytesPerSecond = (bytesPerSecond ?? 0) + rate }
    }
}
