#if os(Linux)
import BackgroundWorkTransfers

/// The connected clients.
final class ClientList {
    private var clients: [Int32: ClientConnection] = [:]
    /// Clients that are gone or do not read, to be removed when the loop comes round.
    private(set) var lost: [ClientConnection] = []

    var all: [ClientConnection] { clients.values.sorted { $0.descriptor < $1.descriptor } }

    var isEmpty: Bool { clients.isEmpty }

    func add(_ descriptor: Int32) { clients[descriptor] = ClientConnection(descriptor: descriptor) }

    func client(_ descriptor: Int32) -> ClientConnection? { clients[descriptor] }

    func send(_ frame: AgentFrame, to client: ClientConnection) {
        guard clients[client.descriptor] === client else { return }
        if !client.send(frame) { lost.append(client) }
    }

    func lose(_ client: ClientConnection) { lost.append(client) }

    /// Takes the lost ones off the list and returns them.
    func removeLost() -> [ClientConnection] {
        defer { lost = [] }
        return lost.filter { client in
            guard clients[client.descriptor] === client else { return false }
            clients[client.descriptor] = nil
            return true
        }
    }
}
#endif
