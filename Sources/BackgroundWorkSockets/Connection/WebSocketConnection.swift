import BackgroundWorkFoundation

/// An open WebSocket. ``WebSocketTransport/connect(_:)`` makes it.
///
/// It may be used from any isolation, for sending and receiving at the same time.
///
/// - **Sending** returns when the system has taken the message. A peer that does not read makes it wait, and only the
///   messages of the tasks that wait are kept in memory.
/// - **Receiving** has one consumer. What arrives faster than it is read waits: about half a mebibyte, or one message, is
///   taken from the network, then the peer has to wait. Pings are answered, and a close frame is noticed, only as far as
///   messages are read.
/// - **Cancellation** of a task that sends, receives or pings closes the connection, with 1001, and ends the call at once
///   with `CancellationError`.
/// - **The end.** After it each call throws a ``WebSocketError``; see ``closeCode``. A connection that nobody holds any
///   longer is cut.
public final class WebSocketConnection: Sendable {
    private let channel: any WebSocketChannel
    private let socket: PreparedSocket
    /// Its thread is the transport's.
    private let transport: WebSocketTransport

    init(
        _ channel: any WebSocketChannel, _ socket: PreparedSocket, keeping transport: WebSocketTransport
    ) {
        self.channel = channel
        self.socket = socket
        self.transport = transport
    }

    deinit { channel.cut(.released(socket.url)) }

    /// Which of the request's subprotocols the server has chosen; `nil` if none.
    public var subprotocol: String? { channel.opening.subprotocol }

    /// Those of the server's answer.
    public var responseHeaders: HTTPHeaders { channel.opening.headers }

    /// Why it has ended; `nil` while it is open. The code of the server's close frame, `noStatus` if that had none;
    /// `abnormal` if the connection ended without one.
    public var closeCode: WebSocketCloseCode? { channel.ending?.code }

    /// The server's words beside its code, which may be empty; `nil` while it is open.
    public var closeReason: String? { channel.ending?.reason }

    /// Sends a text message.
    ///
    /// Throws ``WebSocketError`` when the connection has ended; `CancellationError` when the task is cancelled.
    public func send(_ text: String) async throws { try await send(.text(text)) }

    /// The same for bytes.
    public func send(_ data: Data) async throws { try await send(.data(data)) }

    /// The same for either.
    public func send(_ content: WebSocketContent) async throws {
        try await closingWhenCancelled { try await channel.send(content) }
    }

    /// The next message. One task at a time may wait for one.
    ///
    /// Throws ``WebSocketError`` when the connection has ended and all messages before that were received, of the kind
    /// `closed` also when it was closed as intended;
    /// `CancellationError` when the task is cancelled.
    public func receive() async throws -> WebSocketContent {
        try await closingWhenCancelled { try await channel.receive() }
    }

    /// The messages, for one loop. Each is taken when the loop asks for it.
    ///
    /// It ends when the connection was closed by this side, or by the server with 1000, 1001 or without a code. Any other
    /// end is thrown, as ``receive()`` does.
    public var messages: AsyncThrowingStream<WebSocketContent, any Error> {
        let end = LoopEnd(self)
        return AsyncThrowingStream {
            do {
                return try await end.connection.receive()
            } catch let error as WebSocketError where error.isExpectedEnd {
                return nil
            }
        }
    }

    /// Sends a ping, and returns how long the answer took, by the transport's clock.
    ///
    /// It has no time limit: a peer that is gone without a word is only noticed by the limit that you set. While messages
    /// wait that nobody receives, the answer waits behind them. Throws ``WebSocketError`` when the connection has ended; `CancellationError` when the task
    /// is cancelled.
    @discardableResult
    public func ping() async throws -> Duration {
        let start = socket.clock.uptime
        try await closingWhenCancelled { try await channel.ping() }
        return socket.clock.uptime - start
    }

    /// Closes the connection, and returns when it has ended. What was sent before is sent first; what arrives before the
    /// server's close frame can still be received. After the time limit of the request (`timeouts.close`), and also when
    /// the server does not read, the connection is cut. May be called several times, and after the end.
    ///
    /// - Parameters:
    ///   - code: one that may not be sent is replaced by `normal`.
    ///   - reason: for the server's logs; cut to 123 bytes of UTF-8.
    public func close(code: WebSocketCloseCode = .normal, reason: String = "") async {
        if channel.ending != nil { return }
        // The caller's cancellation must not end it half-way.
        await Task { await closeInTime(code.isSendable ? code : .normal, CloseReason.fitting(reason)) }.value
    }

    /// A ping whose cancellation closes nothing.
    func probe() async throws { try await channel.ping() }

    /// Sends a message, with a cancellation that closes nothing: the message may be sent nevertheless.
    func offer(_ content: WebSocketContent) async throws {
        try Task.checkCancellation()
        do {
            try await channel.send(content)
        } catch let error as WebSocketError {
            throw error.hiding(socket.secrets)
        }
    }

    var traffic: SocketTraffic { channel.traffic }

    /// Ends the connection at once, without a close frame.
    func cut(_ error: WebSocketError) { channel.cut(error) }

    private func closeInTime(_ code: WebSocketCloseCode, _ reason: String) async {
        let timer = Task { [channel, socket] in
            try await socket.clock.sleep(for: socket.timeouts.close)
            channel.cut(.closed(.abnormal, "no answer to the close frame", byPeer: false, socket.url))
        }
        await channel.close(code, reason)
        timer.cancel()
    }

    private func closingWhenCancelled<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch is CancellationError {
            Task { await close(code: .goingAway) }
            throw CancellationError()
        } catch let error as WebSocketError {
            throw error.hiding(socket.secrets)
        }
    }
}

extension WebSocketConnection: CustomReflectable {
    /// Without the request, whose URL and headers may have secrets.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "subprotocol": subprotocol as Any, "closeCode": closeCode as Any, "closeReason": closeReason as Any,
            ])
    }
}

extension WebSocketError {
    /// Whether a loop over messages ends without an error.
    var isExpectedEnd: Bool {
        guard kind == .closed, let closeCode else { return false }
        return isOwnEnd || [.normal, .goingAway, .noStatus].contains(closeCode)
    }
}

extension WebSocketConnection {
    /// Sends a message in its envelope, as text.
    ///
    /// Throws as ``send(_:)-(String)`` does, and `EncodingError`.
    public func send(_ message: some WebSocketMessage, by codec: WebSocketCodec) async throws {
        try await send(codec.encode(message))
    }

    /// The messages, decoded; for one loop, as ``messages``. Types that the codec does not know are delivered as such.
    ///
    /// An envelope whose payload is not of its type is thrown as a ``WebSocketCodingError``, which ends the loop, not the
    /// connection.
    public func messages(by codec: WebSocketCodec) -> AsyncThrowingStream<WebSocketReceived, any Error> {
        let end = LoopEnd(self)
        return AsyncThrowingStream {
            do {
                return try codec.decode(try await end.connection.receive())
            } catch let error as WebSocketError where error.isExpectedEnd {
                return nil
            }
        }
    }
}

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
