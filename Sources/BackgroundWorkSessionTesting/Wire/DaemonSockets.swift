import BackgroundWorkFiles
import BackgroundWorkSystem
import Dispatch
import Synchronization

/// A daemon's socket, and its connections to apps, by number.
final class DaemonSockets<Received: Decodable & Sendable, Sent: Encodable & Sendable>: Sendable {
    /// Messages to an app are sent on a queue of their own, since an app that is stopped takes none.
    private struct Connection: Sendable {
        var socket: DaemonSocket
        var queue: DispatchQueue
    }

    private struct State: Sendable {
        var connections: [Int: Connection] = [:]
        var next = 1
        var isStopped = false
    }

    private let path: String
    private let listener: DaemonSocket
    private let state = Mutex(State())

    init(path: String) throws {
        self.path = path
        listener = try DaemonSocket.listening(at: path)
    }

    /// Accepts connections on a thread, and reads each one on another. Returns at once. Throws a `FileError` when there
    /// are no threads.
    func start(
        receive: @escaping @Sendable (Int, Received) -> Void, ended: @escaping @Sendable (Int) -> Void
    ) throws {
        let isStarted = SystemThread.start { [self] in
            while let socket = listener.accepted() {
                guard let number = add(socket) else { return }
                let isRead = SystemThread.start { [self] in
                    Frames.read(Received.self, from: socket) { receive(number, $0) }
                    state.withLock { _ = $0.connections.removeValue(forKey: number) }
                    ended(number)
                }
                if !isRead { close(number) }
            }
        }
        guard isStarted else { throw FileError(action: "start a thread for", path: path, code: EAGAIN) }
    }

    private func add(_ socket: DaemonSocket) -> Int? {
        state.withLock { state in
            if state.isStopped { return nil }
            defer { state.next += 1 }
            state.connections[state.next] = Connection(
                socket: socket, queue: DispatchQueue(label: "BackgroundWork.SimulatedDaemon.Sending"))
            return state.next
        }
    }

    func send(_ message: Sent, to connection: Int) {
        guard let connection = state.withLock({ $0.connections[connection] }) else { return }
        connection.queue.async {
            do { try connection.socket.send(Frames.bytes(of: message)) } catch { connection.socket.shutDown() }
        }
    }

    func close(_ connection: Int) { state.withLock { $0.connections[connection] }?.socket.shutDown() }

    func stop() {
        let connections = state.withLock { state in
            state.isStopped = true
            return Array(state.connections.values)
        }
        for connection in connections { connection.socket.shutDown() }
        listener.shutDown()
        // Shutting down does not wake the listening thread on every system; a connection does.
        _ = try? DaemonSocket.connected(to: path)
    }
}
