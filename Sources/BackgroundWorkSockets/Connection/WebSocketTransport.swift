/// Opens WebSockets: by the system's libcurl on Linux, by `URLSession` on Apple's platforms.
///
/// Make one and keep it: its connections share one thread. Nothing runs before the first one. A connection ends with
/// its process.
///
/// ```swift
/// let transport = WebSocketTransport()
/// let socket = try await transport.connect(WebSocketRequest("wss://example.com/live"))
/// try await socket.send("hello")
/// for try await message in socket.messages { print(message) }
/// ```
public final class WebSocketTransport: Sendable {
    /// What the connections of a transport share.
    public struct Configuration: Sendable {
        /// Where connections may lead, proxies included: `ws` is judged as `http`, `wss` as `https`. Nothing in a request
        /// widens it.
        public var securityPolicy = SecurityPolicy.publicInternet
        /// Sent unless a request has a header of its own.
        public var userAgent = "BackgroundWork/1"
        /// What time limits and ``WebSocketConnection/ping()`` are measured by.
        public var clock: any WorkClock = SystemWorkClock()

        /// The defaults.
        public init() {}
    }

    /// What its connections share.
    public let configuration: Configuration
    private let engine: any WebSocketEngine
    /// Why nothing can be connected; `nil` if the configuration is valid.
    private let complaint: String?

    /// Creates a transport. It opens nothing yet.
    public convenience init(configuration: Configuration = Configuration()) {
        self.init(configuration, PlatformEngine())
    }

    init(_ configuration: Configuration, _ engine: any WebSocketEngine) {
        self.configuration = configuration
        self.engine = engine
        complaint = configuration.securityPolicy.complaint.map { "the transport's security policy: \($0)" }
    }

    deinit { engine.close() }

    /// Opens a connection, and returns when the server has agreed to it. Redirects are not followed.
    ///
    /// Throws ``WebSocketError``; `CancellationError` at once when the task is cancelled.
    public func connect(_ request: WebSocketRequest) async throws -> WebSocketConnection {
        try Task.checkCancellation()
        if let complaint { throw WebSocketError.invalid(complaint, TransferURL(request.url, method: "WebSocket")) }
        let prepared = try PreparedSocket(request, configuration)
        let limit = prepared.timeouts.connect
        do {
            let connection = try await TimeLimit.run(limit, clock: configuration.clock) { [self] in
                // Made here: one that comes too late is cut by its end.
                WebSocketConnection(try await engine.connect(prepared), prepared, keeping: self)
            }
            if let connection { return connection }
            throw WebSocketError.timeout("the connection was not open", limit, prepared.url)
        } catch let error as WebSocketError {
            try Task.checkCancellation()
            throw error.hiding(prepared.secrets)
        }
    }
}

/// Ends work that takes too long.
enum TimeLimit {
    /// What the work returns or throws; `nil` if it took longer, in which case it was cancelled. It must end soon after
    /// that, and may still have an answer other than `CancellationError`.
    static func run<Value: Sendable>(
        _ limit: Duration, clock: any WorkClock, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value? {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await work() }
            group.addTask {
                try await clock.sleep(for: limit)
                return nil
            }
            if let value = try await group.next() ?? nil { return value }
            group.cancelAll()
            do {
                return try await group.next() ?? nil
            } catch is CancellationError {
                return nil
            }
        }
    }
}
