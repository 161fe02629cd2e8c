import BackgroundWorkFoundation

/// A WebSocket task of a URL session, as far as the engine needs one
/// (https://developer.apple.com/documentation/foundation/urlsessionwebsockettask). What its delegate is told goes to a
/// ``SessionChannel``.
protocol SessionSocketTask: AnyObject, Sendable {
    func resume()
    /// `completed` is called when the message was sent, or cannot be.
    func send(_ content: WebSocketContent, completed: @escaping @Sendable ((any Error)?) -> Void)
    /// `completed` is called with the next message, or when there is none any more.
    func receive(completed: @escaping @Sendable (Result<WebSocketContent, any Error>) -> Void)
    func ping(answered: @escaping @Sendable ((any Error)?) -> Void)
    /// Sends a close frame.
    func close(code: Int, reason: Data)
    func cancel()
    /// 0 while there was no close frame.
    var closeCodeNumber: Int { get }
    var closeReasonBytes: Data? { get }
    /// The server's answer to the handshake, once there is one.
    var handshake: SessionHandshake? { get }
}

/// What a server has answered to a handshake.
struct SessionHandshake: Sendable {
    let status: Int
    let headers: HTTPHeaders
}

/// Where tasks come from.
protocol SessionSocketSystem: Sendable {
    /// What has to be asked, and read, before a task is made. Throws ``WebSocketError``.
    func check(_ socket: PreparedSocket) async throws
    /// A task that is not resumed, whose events go to `channel`. Throws ``WebSocketError``.
    func task(for socket: PreparedSocket, telling channel: SessionChannel) throws -> any SessionSocketTask
    /// A task's error in words.
    func failure(_ error: any Error, of socket: PreparedSocket) -> WebSocketError
    func close()
}
