#if os(Linux)
import CBackgroundWorkLinux
import Glibc

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

    /// What NetworkManager knows or guesses about the primary connection; false when it knows nothing.
    func isMetered() throws(NetworkManagerError) -> Bool {
        let metered = bgw_network_manager_metered(connection)
        guard metered >= 0 else { throw NetworkManagerError(code: -metered) }
        let (yes, guessedYes): (Int32, Int32) = (1, 3)
        return metered == yes || metered == guessedYes
    }

    /// Takes what has arrived; true if it may be a change.
    func takeSignals() throws(NetworkManagerError) -> Bool {
        let changed = bgw_network_manager_process(connection)
        guard changed >= 0 else { throw NetworkManagerError.bus(code: -changed) }
        return changed > 0
    }
}
#endif
