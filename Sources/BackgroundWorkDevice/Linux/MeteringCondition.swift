import BackgroundWorkModel
import BackgroundWorkSystem
import CBackgroundWorkLinux
import Dispatch

/// Whether the network is metered, which distinguishes `unmeteredNetwork` from `network`, as reported by
/// NetworkManager.
///
/// Where it does not run, cannot be queried or does not know, the condition cannot be read.
final class MeteringCondition: ConditionSource {
    let conditions = PlatformDeviceState.unmetered
    private let address: String?
    private var watching: (queue: DispatchQueue, woken: @Sendable (Wake) -> Void)?
    private var connection: NetworkManagerConnection?
    private var readable: EventSource?

    /// - Parameter address: of the bus; `nil` for the system's.
    init(address: String? = nil) { self.address = address }

    /// Reads again if a signal arrived together with the answer: once received, it causes no further wake-up.
    func read() -> DeviceState {
        do throws(NetworkManagerError) {
            let connection = try connected()
            var isMetered = try connection.isMetered()
            while try connection.takeSignals() { isMetered = try connection.isMetered() }
            guard let isMetered else {
                return .unreadable(conditions, because: "NetworkManager does not know whether the network is metered")
            }
            return DeviceState(satisfied: isMetered ? [] : conditions)
        } catch {
            lose(error)
            return .unreadable(conditions, because: error.description)
        }
    }

    func beginWatching(on queue: DispatchQueue, woken: @escaping @Sendable (Wake) -> Void) {
        watching = (queue, woken)
        do throws(NetworkManagerError) { _ = try connected() } catch { lose(error) }
    }

    func takeEvents() -> Bool {
        do throws(NetworkManagerError) { return try connection?.takeSignals() ?? false } catch {
            lose(error)
            return true
        }
    }

    func endWatching() {
        watching = nil
        readable = nil
        connection = nil
    }

    /// Kept while it is watched; otherwise it is used for one reading. A lost connection is opened again with every
    /// reading.
    private func connected() throws(NetworkManagerError) -> NetworkManagerConnection {
        if let connection { return connection }
        let connection = try NetworkManagerConnection(address: address, listening: watching != nil)
        if let watching {
            guard let source = EventSource(of: connection.descriptor, on: watching.queue, woken: watching.woken) else {
                throw .bus(code: errno)
            }
            readable = source
            self.connection = connection
        }
        return connection
    }

    /// If NetworkManager does not run, the bus reports its start, so the connection is kept; any other failure ends it.
    private func lose(_ error: NetworkManagerError) {
        if error == .notRunning { return }
        readable = nil
        connection = nil
    }
}

/// A connection to NetworkManager over D-Bus. For one queue only.
final class NetworkManagerConnection {
    private let connection: OpaquePointer

    /// - Parameter address: of the bus; `nil` for the system's.
    init(address: String?, listening: Bool) throws(NetworkManagerError) {
        var failure: Int32 = 0
        guard let connection = bgw_network_manager_connect(address, listening ? 1 : 0, &failure) else {
            throw NetworkManagerError(code: failure)
        }
        self.connection = connection
    }

    deinit { bgw_network_manager_close(connection) }

    var descriptor: Int32 { bgw_network_manager_descriptor(connection) }

    /// What NetworkManager knows or guesses about the primary connection; `nil` if it knows nothing of it.
    func isMetered() throws(NetworkManagerError) -> Bool? {
        let metered = bgw_network_manager_metered(connection)
        guard metered >= 0 else { throw NetworkManagerError(code: -metered) }
        let (unknown, yes, guessedYes): (Int32, Int32, Int32) = (0, 1, 3)
        return metered == unknown ? nil : metered == yes || metered == guessedYes
    }

    /// Reads the received signals; true if one may be a change.
    func takeSignals() throws(NetworkManagerError) -> Bool {
        let changed = bgw_network_manager_process(connection)
        guard changed >= 0 else { throw NetworkManagerError.bus(code: -changed) }
        return changed > 0
    }
}

/// NetworkManager could not be queried, or has ended.
enum NetworkManagerError: Error, Equatable, CustomStringConvertible {
    case noLibrary
    case notRunning
    case bus(code: Int32)

    init(code: Int32) {
        switch code {
        case ELIBACC: self = .noLibrary
        case ENXIO, EHOSTUNREACH: self = .notRunning
        default: self = .bus(code: code)
        }
    }

    var description: String {
        switch self {
        case .noLibrary: "libsystemd.so.0 is missing or too old"
        case .notRunning: "NetworkManager does not run"
        case .bus(let code): "the system's D-Bus: \(String(cString: strerror(code)))"
        }
    }
}
