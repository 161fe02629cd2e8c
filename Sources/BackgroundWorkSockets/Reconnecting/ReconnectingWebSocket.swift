import BackgroundWorkFoundation

/// A WebSocket that connects again when its connection has ended.
///
/// It connects at once, and goes on until ``close(code:reason:)``, until it is released, or until there is no sense in
/// another attempt: see ``Configuration``.
///
/// ```swift
/// let socket = ReconnectingWebSocket(WebSocketRequest("wss://example.com/live"), transport: transport)
/// for await event in socket.events {
///     if case .text(let text) = event { print(text) }
/// }
/// ```
///
/// It may be used from any isolation. A message may be lost when a connection breaks off: neither side knows what of it
/// has arrived. Number your messages where that matters.
public final class ReconnectingWebSocket: Sendable {
    private let core: ReconnectingCore
    private let task: Task<Void, Never>

    /// Starts to connect.
    ///
    /// - Parameters:
    ///   - request: the connection; the same for each attempt unless `prepare` changes it.
    ///   - transport: who opens it.
    ///   - prepare: called before each attempt with `request`: the place for a fresh token. What it throws is an event;
    ///     then it is as if the attempt had failed. So it is when it takes longer than the request's `timeouts.connect`.
    public init(
        _ request: WebSocketRequest, transport: WebSocketTransport, configuration: Configuration = Configuration(),
        prepare: @escaping @Sendable (WebSocketRequest) async throws -> WebSocketRequest = { $0 }
    ) {
        let core = ReconnectingCore(request, transport, configuration, prepare)
        self.core = core
        task = Task { await core.run() }
    }

    deinit { task.cancel() }

    /// What happens, for one loop: each event goes to one of several, and a second one that waits at the same time ends.
    /// It ends after the last event.
    ///
    /// While nobody reads, at most eight events are kept, and nothing more is received. The cancellation of the loop's task
    /// closes the socket, with 1001.
    public var events: AsyncStream<WebSocketEvent> {
        AsyncStream { [self] in
            await core.events.next()
        } onCancel: { [self] in
            Task { await close(code: .goingAway) }
        }
    }

    /// What it is doing.
    public var status: WebSocketStatus { core.status.current }

    /// The status and each change of it, for any number of loops. One that is slow misses what was changed in between.
    public var statuses: AsyncStream<WebSocketStatus> { core.status.changes() }

    /// Sends a text message. While there is no connection, what the configuration says happens.
    ///
    /// Throws ``WebSocketError`` of the kind `notConnected`, or when the connection breaks off before the system has
    /// taken the message; of the kind `closed` when the socket has ended. `CancellationError` when the task is cancelled:
    /// nothing is sent if it was cancelled before the call, otherwise the message may be. The connection, which is others'
    /// as well, stays.
    public func send(_ text: String) async throws { try await send(.text(text)) }

    /// The same for bytes.
    public func send(_ data: Data) async throws { try await send(.data(data)) }

    /// The same for either.
    public func send(_ content: WebSocketContent) async throws { try await core.send(content) }

    /// The same for a message in its envelope. Throws `EncodingError` as well.
    public func send(_ message: some WebSocketMessage, by codec: WebSocketCodec) async throws {
        try await send(codec.encode(message))
    }

    /// Ends it: the connection is closed, as ``WebSocketConnection/close(code:reason:)`` does, and no attempt follows.
    public func close(code: WebSocketCloseCode = .normal, reason: String = "") async {
        await core.close(code, reason, cancel: { task.cancel() })
    }
}

/// What happens to a ``ReconnectingWebSocket``.
public enum WebSocketEvent: Sendable {
    /// It is connected, or connected again.
    case connected(subprotocol: String?)
    /// A text message.
    case text(String)
    /// A message of bytes.
    case data(Data)
    /// A connection has ended: with the server's close frame, or with `abnormal` without one, after an `error` that says
    /// why. The next attempt follows by itself, unless this is the last event.
    case disconnected(code: WebSocketCloseCode, reason: String)
    /// An attempt has failed, or a connection has broken off: a ``WebSocketError``, or what the hook for the request has
    /// thrown. The next attempt follows by itself, unless this is the last event, or that before it.
    case error(any Error)
}
