#if os(Linux)
import BackgroundWorkModel
import Dispatch
import Glibc

/// Whether the network is metered, which makes `unmeteredNetwork` out of `network`; NetworkManager knows.
///
/// Where it does not run, or cannot be asked, no network counts as metered, and a note says so.
final class MeteringCondition: ConditionSource {
    /// The part of `unmeteredNetwork` that goes beyond `network`.
    static let unmetered = Constraints.unmeteredNetwork.subtracting(.network)

    let conditions = MeteringCondition.unmetered
    private let address: String?
    private var watching: (queue: DispatchQueue, woken: @Sendable (Wake) -> Void)?
    private var connection: NetworkManagerConnection?
    private var readable: EventSource?
    private var failure: NetworkManagerError?

    /// - Parameter address: of the bus; `nil` for the system's.
    init(address: String? = nil) { self.address = address }

    var notes: [String] { failure.map { ["No network counts as metered (\($0))."] } ?? [] }

    /// Looks again if a signal has arrived beside the answer: once taken in, it wakes nobody.
    func read() -> Constraints {
        do throws(NetworkManagerError) {
            let connection = try connected()
            var isMetered = try connection.isMetered()
            while try connection.takeSignals() { isMetered = try connection.isMetered() }
            failure = nil
            return isMetered ? [] : Self.unmetered
        } catch {
            lose(error)
            return Self.unmetered
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

    /// Kept while it is watched; otherwise it lives for one look. One that was lost is tried again with every look.
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

    /// A NetworkManager that does not run may yet come, and the bus tells; any other failure ends the connection.
    private func lose(_ error: NetworkManagerError) {
        failure = error
        if error == .notRunning { return }
        readable = nil
        connection = nil
    }
}
#endif
