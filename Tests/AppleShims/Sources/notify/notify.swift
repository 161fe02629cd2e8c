public import Dispatch
import Synchronization

/// doc: darwinnotify/notify_handler_t
public typealias notify_handler_t = (Int32) -> Void

/// Libnotify, notify.h
public var NOTIFY_STATUS_OK: Int32 { 0 }
/// Libnotify, notify.h
public var NOTIFY_STATUS_INVALID_NAME: Int32 { 1 }
/// Libnotify, notify.h
public var NOTIFY_STATUS_INVALID_TOKEN: Int32 { 2 }

/// doc: darwinnotify/notify_register_dispatch(_:_:_:_:); only within this process
@discardableResult
public func notify_register_dispatch(
    _ name: UnsafePointer<CChar>!, _ out_token: UnsafeMutablePointer<Int32>!, _ queue: DispatchQueue!,
    _ handler: notify_handler_t!
) -> UInt32 {
    guard let token = NotifyShim.add(String(cString: name), queue, handler) else {
        return UInt32(NOTIFY_STATUS_INVALID_NAME)
    }
    out_token.pointee = token
    return UInt32(NOTIFY_STATUS_OK)
}

/// doc: darwinnotify/notify_post(_:)
@discardableResult
public func notify_post(_ name: UnsafePointer<CChar>!) -> UInt32 {
    NotifyShim.post(String(cString: name))
    return UInt32(NOTIFY_STATUS_OK)
}

/// doc: darwinnotify/notify_cancel(_:)
@discardableResult
public func notify_cancel(_ token: Int32) -> UInt32 {
    UInt32(NotifyShim.remove(token) ? NOTIFY_STATUS_OK : NOTIFY_STATUS_INVALID_TOKEN)
}

/// What a test does in the system's place.
public enum NotifyShim {
    /// Sendable, because `call` is called on `queue` only.
    private struct Registration: @unchecked Sendable {
        var name: String
        var queue: DispatchQueue
        var call: notify_handler_t
    }

    private struct State {
        var last: Int32 = 0
        var registrations: [Int32: Registration] = [:]
        var refused: Set<String> = []
    }

    private static let state = Mutex(State())

    /// The names that are heard.
    public static var names: Set<String> { state.withLock { Set($0.registrations.values.map(\.name)) } }

    /// Registrations of these names fail from now on.
    public static func refuse(_ names: Set<String>) { state.withLock { $0.refused = names } }

    static func add(_ name: String, _ queue: DispatchQueue, _ handler: @escaping notify_handler_t) -> Int32? {
        let registration = Registration(name: name, queue: queue, call: handler)
        return state.withLock { state in
            guard !state.refused.contains(name) else { return nil }
            state.last += 1
            state.registrations[state.last] = registration
            return state.last
        }
    }

    static func post(_ name: String) {
        for (token, registration) in state.withLock({ $0.registrations.filter { $0.value.name == name } }) {
            registration.queue.async { registration.call(token) }
        }
    }

    static func remove(_ token: Int32) -> Bool {
        state.withLock { $0.registrations.removeValue(forKey: token) != nil }
    }
}
