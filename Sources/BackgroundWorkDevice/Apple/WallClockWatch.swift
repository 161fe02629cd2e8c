import Foundation

/// Reports when the wall clock is set, by Foundation's notification.
enum WallClockWatch {
    static func adjustments() -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                for await _ in NotificationCenter.default.notifications(named: .NSSystemClockDidChange) {
                    continuation.yield()
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
