public import Foundation

extension NSNotification.Name {
    /// doc: foundation/nsnotification/name-swift.struct/nssystemclockdidchange; not on Linux, where nobody posts it but
    /// a test
    public static let NSSystemClockDidChange = NSNotification.Name("NSSystemClockDidChangeNotification")
}

extension NotificationCenter {
    /// doc: foundation/notificationcenter/notifications(named:object:); not on Linux
    @preconcurrency public func notifications(
        named name: Notification.Name, object: (any AnyObject & Sendable)? = nil
    ) -> Notifications {
        Notifications(center: self, name: name, object: object)
    }

    /// doc: foundation/notificationcenter/notifications
    public final class Notifications: AsyncSequence {
        private let stream: AsyncStream<Posted>

        /// A notification is not Sendable; each is handed to one iterator and nobody else.
        fileprivate struct Posted: @unchecked Sendable { var notification: Notification }

        fileprivate init(center: NotificationCenter, name: Notification.Name, object: (any AnyObject & Sendable)?) {
            let (stream, continuation) = AsyncStream.makeStream(of: Posted.self)
            self.stream = stream
            let observer = Observer(
                token: center.addObserver(forName: name, object: object, queue: nil) {
                    continuation.yield(Posted(notification: $0))
                })
            continuation.onTermination = { _ in center.removeObserver(observer.token) }
        }

        /// A token of the center's, which is safe for any thread.
        private struct Observer: @unchecked Sendable { var token: any NSObjectProtocol }

        /// doc: foundation/notificationcenter/notifications/makeasynciterator()
        public func makeAsyncIterator() -> Iterator { Iterator(stream: stream.makeAsyncIterator()) }

        /// doc: foundation/notificationcenter/notifications/iterator
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate var stream: AsyncStream<Posted>.Iterator

            /// doc: foundation/notificationcenter/notifications/iterator/next()
            public mutating func next() async -> Notification? { await stream.next()?.notification }
        }
    }
}
