/// Opens connections by the tasks of a URL session.
final class SessionEngine: WebSocketEngine {
    private let system: any SessionSocketSystem

    init(_ system: any SessionSocketSystem) { self.system = system }

    func connect(_ socket: PreparedSocket) async throws -> any WebSocketChannel {
        guard socket.compression == nil else {
            throw WebSocketError.invalid(
                "a URL session decides by itself about compression; leave it out on this platform", socket.url)
        }
        try await system.check(socket)
        let channel = SessionChannel(socket, system)
        do {
            try channel.begin()
            try await channel.opened.value()
        } catch {
            channel.cut(.released(socket.url))
            throw error
        }
        return channel
    }

    func close() { system.close() }
}
