public import Foundation
import Synchronization

/// What a test sees of the activities of this process.
public enum ActivityShim {
    /// The reasons of the activities that have not ended.
    public static var reasons: [String] { running.withLock { $0.values.map(\.reason).sorted() } }

    fileprivate struct Activity: Sendable {
        var options: ProcessInfo.ActivityOptions
        var reason: String
    }

    fileprivate static let running = Mutex<[ObjectIdentifier: Activity]>([:])
}

extension ProcessInfo {
    /// doc: foundation/processinfo/activityoptions; its values: macios foundation.cs, NSActivityOptions
    public struct ActivityOptions: OptionSet, Sendable {
        /// The flags.
        public let rawValue: UInt64
        /// A set of these flags.
        public init(rawValue: UInt64) { self.rawValue = rawValue }
        /// doc: foundation/processinfo/activityoptions/userinitiated
        public static let userInitiated = ActivityOptions(rawValue: 0x00FF_FFFF)
    }

    /// doc: foundation/processinfo/beginactivity(options:reason:); not on Linux
    public func beginActivity(options: ActivityOptions = [], reason: String) -> any NSObjectProtocol {
        let token = NSObject()
        ActivityShim.running.withLock { $0[ObjectIdentifier(token)] = .init(options: options, reason: reason) }
        return token
    }

    /// doc: foundation/processinfo/endactivity(_:); not on Linux
    public func endActivity(_ activity: any NSObjectProtocol) {
        let ended = ActivityShim.running.withLock { $0.removeValue(forKey: ObjectIdentifier(activity)) }
        precondition(ended != nil, "an activity was ended twice")
    }
}
