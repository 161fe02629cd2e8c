/// The size of a volume, and the space available to this user.
package struct VolumeSpace: Equatable, Sendable {
    /// In bytes.
    var size: UInt64
    /// In bytes, without what is reserved for others; with what the system would delete to make room, where it says so.
    package var available: UInt64

    init(size: UInt64, available: UInt64) {
        self.size = size
        self.available = available
    }

    /// From the answers of Apple's systems, in bytes; `nil` is what a volume does not report. The space for important
    /// usage includes what the system would delete for it.
    init(total: Int?, available: Int?, forImportantUsage: Int64?) throws(VolumeQueryError) {
        let answers = [available.map(Int64.init), forImportantUsage].compactMap(\.self)
        guard let total, let most = answers.max() else { throw VolumeQueryError(description: "it reports no capacity") }
        self.init(size: UInt64(clamping: total), available: UInt64(clamping: most))
    }

    /// Less than 5 % of the volume is free, and less than 500 MB: on a small volume a share must stay free, and on a
    /// large one that share would be unnecessarily large.
    var isLow: Bool { available < min(size / 20, 500_000_000) }
}

/// The system does not say how much space a volume has.
package struct VolumeQueryError: Error, CustomStringConvertible {
    package let description: String
}
