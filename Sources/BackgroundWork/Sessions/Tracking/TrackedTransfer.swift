import BackgroundWorkFiles
import BackgroundWorkModel
import BackgroundWorkTransfers

/// A transfer as a ``TransferTracker`` shows it.
public struct TrackedTransfer: Sendable, Hashable, Identifiable {
    /// The id of the work item.
    public let id: String
    /// Its number, which differs between attempts of the same work; `nil` if there was no report of it before its
    /// end.
    public internal(set) var taskIdentifier: Int64?
    /// Where the file will be, or the file that is sent; `nil` while it is not known.
    public internal(set) var path: String?
    /// The label of the group that it is followed with.
    public internal(set) var group: String?
    /// Whether bytes go to the server.
    public internal(set) var isUpload = false
    /// What it is doing.
    public internal(set) var phase = TransferPhase.waiting(.slot)
    /// The bytes of the file that have been transferred.
    public internal(set) var bytes: Int64 = 0
    /// The file's length; `nil` while it is unknown.
    public internal(set) var totalBytes: Int64?
    /// The recent speed; `nil` while nothing is transferred.
    public internal(set) var bytesPerSecond: Int64?
    /// How its work has ended; `nil` while it has not.
    public internal(set) var outcome: WorkOutcome?
    /// Its position in the list.
    var position: Int
    var session: String?

    init(id: String, position: Int) {
        self.id = id
        self.position = position
    }

    /// The last part of the path; the id while that is not known.
    public var fileName: String {
        path.map { DurableFile.name(of: DurableFile.withoutTrailingSlashes($0)) } ?? id
    }

    /// From 0 to 1; `nil` while the length is unknown.
    public var fraction: Double? { TransferPace.fraction(bytes, of: totalBytes) }

    /// At the recent speed; `nil` while that or the length is unknown.
    public var timeLeft: Duration? {
        TransferPace.timeLeft(bytes, of: totalBytes, bytesPerSecond: bytesPerSecond)
    }
}

/// The progress of several transfers together.
public struct TransferTotals: Sendable, Hashable {
    /// The bytes of the files that have been transferred.
    public var bytes: Int64 = 0
    /// The length of all the files; `nil` while that of one is unknown.
    public var totalBytes: Int64? = 0
    /// The recent speed of the active transfers; `nil` while none is active.
    public var bytesPerSecond: Int64?

    /// Creates totals of no transfers.
    public init() {}

    /// From 0 to 1; `nil` while a length is unknown, or when there are no transfers.
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
