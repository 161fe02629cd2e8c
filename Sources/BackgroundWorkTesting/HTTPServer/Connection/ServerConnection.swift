/// Serves one connection on its own thread, with blocking calls.
struct ServerConnection {
    let socket: ConnectionSocket
    /// Counts the server's connections.
    let number: Int
    let state: ServerState

    /// Answers requests until the connection ends or has to be ended.
    func run() {
        var fate = ConnectionFate.continues
        while fate == .continues, !state.isStopped {
            do {
                guard let head = try socket.readHead() else { break }
                fate = answer(head, try RequestBody(head, socket))
            } catch {
                let status = error == .headersTooLarge ? "431 Request Header Fields Too Large" : "400 Bad Request"
                let head = "HTTP/1.1 \(status)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                fate = socket.send(Array(head.utf8)) ? .lingers : .closes
            }
        }
        socket.end(fate)
    }

    private func answer(_ head: RequestHead, _ body: RequestBody) -> ConnectionFate {
        let log = state.log.begin(head, connection: number)
        defer { state.log.end(log) }
        func exchange(_ behaviour: Behaviour) -> Exchange {
            Exchange(socket: socket, state: state, head: head, body: body, behaviour: behaviour, log: log)
        }
        if let challenge = state.routes.challenge(for: head) { return exchange(.correct).refuse(challenge) }
        let behaviour = state.script.next(for: state.routes.scriptPaths(of: head.path), method: head.method)
        return exchange(behaviour).run()
    }
}

/// The state that the threads of a local server share.
final class ServerState: Sendable {
    let log: RequestLog
    let script = BehaviourScript()
    let routes = Routes()
    let connections = OpenConnections()

    init(logFile: String?) { log = RequestLog(file: logFile) }

    var isStopped: Bool { connections.isStopped }
}
