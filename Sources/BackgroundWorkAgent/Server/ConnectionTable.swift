import BackgroundWorkExchange
import BackgroundWorkSystem
import BackgroundWorkTransfers
import CBackgroundWorkLinux

/// The listening socket and its connections.
final class ConnectionTable {
    private static let connectionLimit = 512

    private(set) var connections: [Int32: ClientConnection] = [:]
    private var listening: Int32?
    private var pausesAccepting = false
    private let timers: LoopTimers

    init(listening: Int32, timers: LoopTimers) {
        self.listening = listening
        self.timers = timers
    }

    var isEmpty: Bool { connections.isEmpty }

    /// The connections that receive outcomes, the oldest first.
    var receivers: [ClientConnection] {
        connections.values.filter { $0.isOpen && $0.isReceiver }.sorted { $0.descriptor < $1.descriptor }
    }

    /// The work stores whose hosts are connected.
    var stores: Set<String> { Set(connections.values.filter(\.isOpen).compactMap(\.store)) }

    /// Sends the output queued in this iteration of the loop, as far as the sockets accept it.
    func flush() { for connection in connections.values where connection.wantsToWrite { connection.flush() } }

    func watch(with poller: inout EventPoller) {
        if let listening, !pausesAccepting { poller.watch(listening) }
        for connection in connections.values where connection.wantsToRead || connection.wantsToWrite {
            poller.watch(connection.descriptor, forWriting: connection.wantsToWrite)
        }
    }

    /// Accepts all waiting connections if `descriptor` is the listening socket.
    func acceptIfListening(_ descriptor: Int32) {
        guard descriptor == listening else { return }
        while true {
            let socket = bgw_accept(descriptor)
            if socket >= 0 {
                admit(socket)
            } else if errno != EINTR && errno != ECONNABORTED {
                if errno != EAGAIN { rest(SystemCallError("accept", "a connection")) }
                return
            }
        }
    }

    /// Out of descriptors or memory: the listening socket would be ready again at once, without end.
    private func rest(_ error: SystemCallError) {
        AgentLog.write("\(error); accepting again in 1 s")
        pausesAccepting = true
        timers.set(.acceptAgain, at: .now + .seconds(1)) { [weak self] in self?.pausesAccepting = false }
    }

    private func admit(_ socket: Int32) {
        var (user, process): (uid_t, pid_t) = (0, 0)
        let connection = ClientConnection(descriptor: socket)
        guard bgw_peer_credentials(socket, &user, &process) == 0, user == geteuid() else {
            AgentLog.write(
                "refused a connection of user \(user), process \(process): the agent serves only its own user")
            return
        }
        guard connections.count < Self.connectionLimit else {
            AgentLog.write("refused a connection of process \(process): \(Self.connectionLimit) are open already")
            return
        }
        connections[socket] = connection
    }

    /// Removes and returns closed connections.
    func takeClosed() -> [ClientConnection] {
        let closed = connections.values.filter { !$0.isOpen }
        for connection in closed { connections[connection.descriptor] = nil }
        return closed
    }

    func stopListening() {
        if let listening { close(listening) }
        listening = nil
    }
}
