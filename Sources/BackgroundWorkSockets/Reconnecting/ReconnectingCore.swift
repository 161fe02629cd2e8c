/// What a reconnecting socket does, apart from the socket itself, which nothing here holds.
final class ReconnectingCore: Sendable {
    typealias Configuration = ReconnectingWebSocket.Configuration

    let events = EventPipe()
    let status = StatusBoard()
    private let request: WebSocketRequest
    private let transport: WebSocketTransport
    private let configuration: Configuration
    private let prepare: @Sendable (WebSocketRequest) async throws -> WebSocketRequest
    private let schedule: BackoffSchedule
    private let outbound: OutboundQueue
    private let url: TransferURL

    init(
        _ request: WebSocketRequest, _ transport: WebSocketTransport, _ configuration: Configuration,
        _ prepare: @escaping @Sendable (WebSocketRequest) async throws -> WebSocketRequest
    ) {
        self.request = request
        self.transport = transport
        self.configuration = configuration
        self.prepare = prepare
        schedule = BackoffSchedule(
            initialDelay: configuration.initialDelay, multiplier: configuration.multiplier,
            maximumDelay: configuration.maximumDelay, jitter: configuration.jitter)
        url = TransferURL(request.url, method: "WebSocket")
        outbound = OutboundQueue(configuration.sendingWhileDown, url)
    }

    func send(_ content: WebSocketContent) async throws {
        if case .send(let connection) = try outbound.way(of: content) { try await connection.offer(content) }
    }

    /// - Parameter cancel: ends ``run()`` where it does not wait for a connection.
    func close(_ code: WebSocketCloseCode, _ reason: String, cancel: () -> Void) async {
        guard let connection = outbound.close() else { return cancel() }
        await connection.close(code: code, reason: reason)
    }

    /// Returns when no attempt follows any more.
    func run() async {
        var failures = 0
        while !Task.isCancelled, !outbound.isClosed {
            let end = await attempt(failures + 1)
            if end.wasStable { failures = 0 } else { failures += 1 }
            let isLast = configuration.maximumAttempts.map { failures >= max($0, 1) } ?? false
            guard !end.isFinal, !isLast, !outbound.isClosed, !Task.isCancelled else { break }
            let delay = max(
                schedule.delay(afterAttempt: max(failures, 1), random: configuration.random()),
                min(end.retryAfter ?? .zero, configuration.longestRetryAfter))
            status.change { ($0.state, $0.retryDelay) = (.disconnected, delay) }
            do { try await configuration.clock.sleep(for: delay) } catch { break }
        }
        let isOwnEnd = outbound.isClosed || Task.isCancelled
        _ = outbound.close()
        status.change { status in
            (status.state, status.retryDelay, status.isFinal) = (.disconnected, nil, true)
            if isOwnEnd { status.reason = .closed }
        }
        events.finish(after: outbound.discard().map { .error($0) })
    }

    /// How an attempt, and the connection that it has led to, have ended.
    private struct End {
        var isFinal = false
        var wasStable = false
        var retryAfter: Duration?
    }

    private func attempt(_ number: Int) async -> End {
        do {
            try await waitForNetwork()
            status.change { ($0.state, $0.attempts, $0.retryDelay) = (.connecting, number, nil) }
            let connection = try await transport.connect(try await prepared())
            let start = configuration.clock.uptime
            guard outbound.connected(connection) else {
                await connection.close()
                return End(isFinal: true)
            }
            status.change { ($0.state, $0.reason) = (.connected, nil) }
            await events.put(.connected(subprotocol: connection.subprotocol))
            let error = await serve(connection)
            outbound.disconnected()
            let held = configuration.clock.uptime - start
            return await ended(connection, error, wasStable: held >= configuration.stableAfter)
        } catch is CancellationError {
            return End(isFinal: true)
        } catch {
            status.change { ($0.state, $0.reason) = (.disconnected, .failed("\(error)")) }
            await events.put(.error(error))
            return End(
                isFinal: !configuration.isWorthAnotherAttempt(error),
                retryAfter: (error as? any RetryableError)?.retryAfter)
        }
    }

    /// The request of an attempt. The hook is somebody else's: it may take as long as an attempt, and is not waited for
    /// when the socket is closed.
    private func prepared() async throws -> WebSocketRequest {
        let limit = request.timeouts.connect
        // The transport says what is wrong with it.
        guard limit > .zero else { return request }
        let answer = try await AbandonableWork.result(within: limit, clock: configuration.clock) {
            [prepare, request] in try await prepare(request)
        }
        guard let answer else { throw WebSocketError.timeout("the hook for its request did not return", limit, url) }
        return answer
    }

    private func waitForNetwork() async throws {
        guard configuration.waitsForConnectivity else { return }
        let network = NetworkWait(configuration.device ?? NetworkWait.ofDevice)
        let address = PreparedSocket.httpAddress(of: request.url) ?? request.url
        guard await network.isNeeded(for: address, by: request.proxy) else { return }
        status.change { ($0.state, $0.reason, $0.retryDelay) = (.disconnected, .noNetwork, nil) }
        try await network.untilConnected()
    }

    /// Returns why the connection has ended.
    private func serve(_ connection: WebSocketConnection) async -> any Error {
        await withTaskGroup(of: (any Error)?.self) { group in
            group.addTask { await self.receive(connection) }
            group.addTask {
                await self.outbound.flush(to: connection)
                return nil
            }
            if let interval = configuration.pingInterval {
                group.addTask {
                    await self.probe(connection, every: interval)
                    return nil
                }
            }
            for await case let error? in group {
                group.cancelAll()
                return error
            }
            return CancellationError()
        }
    }

    private func receive(_ connection: WebSocketConnection) async -> any Error {
        while true {
            do {
                switch try await connection.receive() {
                case .text(let text): await events.put(.text(text))
                case .data(let data): await events.put(.data(data))
                }
            } catch {
                return error
            }
        }
    }

    private func probe(_ connection: WebSocketConnection, every interval: Duration) async {
        do {
            repeat { try await configuration.clock.sleep(for: interval) } while try await answers(connection)
            connection.cut(
                .timeout("a ping was not answered, and nothing else has come", configuration.pingTimeout, url))
        } catch {
            // The connection has ended, or this task was cancelled.
        }
    }

    /// Whether a ping is answered. It may wait behind a message that takes long, or behind messages whose reader takes
    /// long: a connection on which something moves is not dead.
    private func answers(_ connection: WebSocketConnection) async throws -> Bool {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                try await connection.probe()
                return true
            }
            group.addTask { [configuration] in
                var moved = connection.traffic.moved
                while true {
                    try await configuration.clock.sleep(for: configuration.pingTimeout)
                    let traffic = connection.traffic
                    if !traffic.waitsForReader, traffic.moved == moved { return false }
                    moved = traffic.moved
                }
            }
            return try await group.next() ?? false
        }
    }

    private func ended(_ connection: WebSocketConnection, _ error: any Error, wasStable: Bool) async -> End {
        let code = connection.closeCode ?? .abnormal
        let reason = connection.closeReason ?? ""
        let failure = error as? WebSocketError
        let isClose = failure?.kind == .closed
        status.change { status in
            status.state = .disconnected
            status.reason =
                if isClose, failure?.isOwnEnd == false {
                    .closedByServer(code, reason: reason)
                } else if outbound.isClosed {
                    .closed
                } else { .failed("\(error)") }
        }
        if !isClose, !(error is CancellationError) { await events.put(.error(error)) }
        await events.put(.disconnected(code: code, reason: reason))
        let isFinal =
            isClose ? configuration.finalCloseCodes.contains(code) : !configuration.isWorthAnotherAttempt(error)
        return End(isFinal: isFinal && failure?.isOwnEnd != true, wasStable: wasStable)
    }
}
