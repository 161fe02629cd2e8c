/// What an archive may have at most, against archives that are made to fill a disk.
package struct ExtractionLimits: Sendable, Hashable {
    /// The content of all files together; `nil` for no limit.
    package var bytes: UInt64?
    package var entries: UInt64
    /// How many times as long as its compressed form a content may be.
    package var ratio: UInt64

    /// Up to this length a content may have any ratio: nobody is harmed by it.
    package static let harmlessBytes: UInt64 = 10 << 20

    package init(bytes: UInt64? = nil, entries: UInt64 = 1_000_000, ratio: UInt64 = 200) {
        self.bytes = bytes
        self.entries = entries
        self.ratio = ratio
    }

    /// Throws ``ArchiveError/refused(_:)`` for more entries.
    func check(entries count: UInt64) throws(ArchiveError) {
        guard count > entries else { return }
        throw .refused("it has \(count) entries; maxEntries allows \(entries)")
    }

    /// Throws ``ArchiveError/refused(_:)`` for a longer content, or one of a higher ratio.
    ///
    /// - Parameter what: whose it is, for the message.
    func check(bytes total: UInt64, packed: UInt64, of what: @autoclosure () -> String) throws(ArchiveError) {
        if let bytes, total > bytes { throw .refused("\(what()) has \(total) bytes; maxBytes allows \(bytes)") }
        let (most, overflow) = max(packed, 1).multipliedReportingOverflow(by: ratio)
        if total > Self.harmlessBytes, !overflow, total > most {
            throw .refused(
                "\(what()) has \(total) bytes, more than \(ratio) times its compressed \(packed); maxRatio allows no more"
            )
        }
    }
}
