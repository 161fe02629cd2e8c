#if BACKGROUNDWORK_HAS_POWER_SOURCES
import Dispatch
import notify

/// Hears a notification of notify(3) until it is deinitialized.
final class DarwinNotification {
    private let token: Int32

    /// - Parameter posted: is called on the queue.
    init(_ name: String, on queue: DispatchQueue, posted: @escaping @Sendable () -> Void)
        throws(DarwinNotificationError)
    {
        var token: Int32 = 0
        let status = notify_register_dispatch(name, &token, queue) { _ in posted() }
        guard status == NOTIFY_STATUS_OK else { throw DarwinNotificationError(name: name, status: status) }
        self.token = token
    }

    deinit { notify_cancel(token) }
}

/// A notification cannot be heard.
struct DarwinNotificationError: Error, CustomStringConvertible {
    let name: String
    let status: UInt32

    var description: String { "notify_register_dispatch failed for \(name) with status \(status)" }
}
#endif
