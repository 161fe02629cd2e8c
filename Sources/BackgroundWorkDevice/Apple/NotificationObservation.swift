import BackgroundWorkFoundation
import Foundation

/// Hears the notifications of some names until it is deinitialized.
final class NotificationObservation {
    private let tokens: [any NSObjectProtocol]

    /// - Parameter posted: is called on the thread that posts.
    init(of names: [Notification.Name], posted: @escaping @Sendable () -> Void) {
        tokens = names.map {
            NotificationCenter.default.addObserver(forName: $0, object: nil, queue: nil) { _ in posted() }
        }
    }

    deinit { for token in tokens { NotificationCenter.default.removeObserver(token) } }
}
