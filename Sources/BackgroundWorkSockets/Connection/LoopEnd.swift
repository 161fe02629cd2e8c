/// Held by the stream of a loop over messages: closes the connection when the loop has ended because its task was
/// cancelled. A stream that is asked for an element in a cancelled task lets go of what makes elements, and does not ask
/// it.
final class LoopEnd: Sendable {
    let connection: WebSocketConnection

    init(_ connection: WebSocketConnection) { self.connection = connection }

    deinit {
        if Task.isCancelled { Task { [connection] in await connection.close(code: .goingAway) } }
    }
}
