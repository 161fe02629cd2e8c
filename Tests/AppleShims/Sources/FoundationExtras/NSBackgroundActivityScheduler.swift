// macOS only.
#if APPLE_SHAPE_MACOS
import Dispatch
public import Foundation
import Synchronization

/// What a test does in the system's place.
public enum BackgroundActivityShim {
    /// An activity that is scheduled.
    public struct Scheduled: Sendable {
        /// `interval`
        public var interval: TimeInterval
        /// `tolerance`
        public var tolerance: TimeInterval
        /// `repeats`
        public var repeats: Bool
        fileprivate var block: @Sendable (@escaping NSBackgroundActivityScheduler.CompletionHandler) -> Void
    }

    /// By identifier.
    public static var scheduled: [String: Scheduled] { state.withLock { $0.scheduled } }

    /// Runs a scheduled activity; `completed` is called for each call of its completion handler. False when it is not
    /// scheduled.
    public static func run(
        _ identifier: String, completed: @escaping NSBackgroundActivityScheduler.CompletionHandler
    ) -> Bool {
        guard let scheduled = scheduled[identifier] else { return false }
        DispatchQueue.global().async { scheduled.block(completed) }
        return true
    }

    /// The answer of `shouldDefer`, by identifier; false unless set.
    public static func setShouldDefer(_ identifier: String, _ shouldDefer: Bool) {
        state.withLock { $0.deferred[identifier] = shouldDefer }
    }

    fileprivate struct State {
        var scheduled: [String: Scheduled] = [:]
        var deferred: [String: Bool] = [:]
    }

    fileprivate static let state = Mutex(State())
}

/// doc: foundation/nsbackgroundactivityscheduler
public class NSBackgroundActivityScheduler: NSObject {
    /// doc: foundation/nsbackgroundactivityscheduler/result; its values: objc2, NSBackgroundActivityResult
    public enum Result: Int, Sendable {
        case finished = 1
        case deferred = 2
    }

    /// doc: foundation/nsbackgroundactivityscheduler/completionhandler
    public typealias CompletionHandler = @Sendable (NSBackgroundActivityScheduler.Result) -> Void

    /// doc: foundation/nsbackgroundactivityscheduler/identifier
    public let identifier: String
    /// doc: foundation/nsbackgroundactivityscheduler/interval; in seconds
    public var interval: TimeInterval = 0
    /// doc: foundation/nsbackgroundactivityscheduler/tolerance; in seconds
    public var tolerance: TimeInterval = 0
    /// doc: foundation/nsbackgroundactivityscheduler/repeats
    public var repeats = false

    /// doc: foundation/nsbackgroundactivityscheduler/init(identifier:)
    public init(identifier: String) { self.identifier = identifier }

    /// doc: foundation/nsbackgroundactivityscheduler/shoulddefer
    public var shouldDefer: Bool { BackgroundActivityShim.state.withLock { $0.deferred[identifier] ?? false } }

    /// doc: foundation/nsbackgroundactivityscheduler/schedule(_:)
    public func schedule(_ block: @escaping @Sendable (@escaping CompletionHandler) -> Void) {
        let scheduled = BackgroundActivityShim.Scheduled(
            interval: interval, tolerance: tolerance, repeats: repeats, block: block)
        BackgroundActivityShim.state.withLock { $0.scheduled[identifier] = scheduled }
    }

    /// doc: foundation/nsbackgroundactivityscheduler/invalidate()
    public func invalidate() { BackgroundActivityShim.state.withLock { $0.scheduled[identifier] = nil } }
}
#endif
