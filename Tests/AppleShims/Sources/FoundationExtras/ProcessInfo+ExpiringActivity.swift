// Not on macOS.
#if !APPLE_SHAPE_MACOS
import Dispatch
public import Foundation
import Synchronization

/// What a test does in the system's place.
public enum ExpiringActivityShim {
    /// Tells all activities whose first call has not returned that the process is about to be suspended: calls their
    /// blocks again, with `true`, on the calling thread.
    public static func expireAll() {
        for block in running.withLock({ Array($0.values) }) { block(true) }
    }

    fileprivate static let running = Mutex<[Int: @Sendable (Bool) -> Void]>([:])
    fileprivate static let number = Atomic(0)
}

extension ProcessInfo {
    /// doc: foundation/processinfo/performexpiringactivity(withreason:using:); not on Linux
    public func performExpiringActivity(withReason reason: String, using block: @escaping @Sendable (Bool) -> Void) {
        let number = ExpiringActivityShim.number.add(1, ordering: .relaxed).newValue
        ExpiringActivityShim.running.withLock { $0[number] = block }
        DispatchQueue.global().async {
            block(false)
            ExpiringActivityShim.running.withLock { _ = $0.removeValue(forKey: number) }
        }
    }
}
#endif
