/// What the threads of a local server share.
final class ServerState: Sendable {
    let log: RequestLog
    let script = BehaviourScript()
    let routes = Routes()
    let connections = OpenConnections()

    init(logFile: String?) { log = RequestLog(file: logFile) }

    var isStopped: Bool { connections.isStopped }
}
