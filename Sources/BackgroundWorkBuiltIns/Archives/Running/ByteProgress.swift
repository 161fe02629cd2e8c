import BackgroundWorkModel
import Dispatch

/// Counts bytes on one thread, and reports them now and then.
struct ByteProgress {
    private static let interval: UInt64 = 200_000_000

    private let verb: String
    private let report: @Sendable (WorkerProgress) -> Void
    private var last: UInt64 = 0
    private(set) var bytes: UInt64 = 0
    /// How many there will be, as far as that is known.
    var total: UInt64

    init(_ verb: String, total: UInt64, report: @escaping @Sendable (WorkerProgress) -> Void) {
        self.verb = verb
        self.total = total
        self.report = report
    }

    mutating func add(_ count: Int) {
        bytes += UInt64(count)
        let now = DispatchTime.now().uptimeNanoseconds
        guard now >= last + Self.interval else { return }
        last = now
        let most = max(total, bytes)
        report(
            WorkerProgress(
                fraction: most == 0 ? nil : Double(bytes) / Double(most),
                message: "\(verb) \(bytes) of \(most) bytes",
                detailJSON: #"{"bytes":\#(bytes),"totalBytes":\#(most)}"#))
    }
}
