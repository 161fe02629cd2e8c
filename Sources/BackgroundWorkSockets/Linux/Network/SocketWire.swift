import BackgroundWorkExchange
import BackgroundWorkFoundation
import BackgroundWorkHTTP
import BackgroundWorkTransfers
import CBackgroundWorkCurl

/// A connection on the network's thread: its handshake, and its frames in both directions.
final class SocketWire: ExchangeHandler {
    private enum Phase { case connecting, upgrading, open }

    /// How often a busy connection reads before others have their turn.
    private static let mostReads = 8

    let channel: SocketChannel
    private(set) var exchange: Exchange?
    /// -1 until it is connected.
    private(set) var socket: Int32 = -1
    private var interest = InterestSet.Interest()
    private var phase = Phase.connecting
    private var accept = ""
    private var response = HandshakeResponse()
    private var parser = FrameParser()
    private var assembler: MessageAssembler
    private var frames = OutgoingFrames()
    private var output = SendBuffer()
    /// What was read and has no room yet.
    private var unparsed: [UInt8] = []
    private var receivedBytes: UInt64 = 0
    private var peerClose: (code: WebSocketCloseCode, reason: String)?

    init(_ channel: SocketChannel) {
        self.channel = channel
        assembler = MessageAssembler(limit: channel.socket.maximumMessageBytes)
    }

    private var url: TransferURL { channel.socket.url }

    func begin(on multi: CurlMulti, _ throttle: Throttle) throws(TransferFailure) {
        let http = channel.socket.http
        var plan = RequestPlan(
            url: http.address, headerLines: [], options: http.options, securityPolicy: http.policy,
            bufferBytes: 1024, followsRedirects: false)
        plan.connectTimeout = http.timeouts.connect
        plan.connectsOnly = true
        let exchange = try Exchange(plan, handler: self, limit: nil, throttle: throttle)
        self.exchange = exchange
        multi.add(exchange)
    }

    /// Nothing comes by this way: libcurl only connects.
    func receive(_ bytes: UnsafeRawBufferPointer, of exchange: Exchange) -> BodyAnswer { .breakOff }

    /// libcurl has connected, or has failed to.
    func connected(_ code: CURLcode) {
        guard let exchange else { return }
        guard code == CURLE_OK, let connection = exchange.connection, connection.socket >= 0 else {
            channel.end(.failed(error(of: exchange, code)))
            return
        }
        var generator = SystemRandomNumberGenerator()
        let nonce = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
        do throws(WebSocketError) {
            let request = try HandshakeRequest(channel.socket, nonce: nonce)
            (accept, output) = (request.accept, SendBuffer(request.bytes))
            (phase, socket) = (.upgrading, connection.socket)
        } catch {
            channel.end(.failed(error))
        }
    }

    private func error(of exchange: Exchange, _ code: CURLcode) -> WebSocketError {
        if code == CURLE_OPERATION_TIMEDOUT {
            return .timeout("the server could not be reached", channel.socket.timeouts.connect, url)
        }
        let failure: TransferFailure =
            if let failure = exchange.failure { failure } else if let address = exchange.decisiveRefusal(of: code) {
                .refusedAddress(address, redirects: 0, exchange.url)
            } else {
                .curl(code, detail: exchange.detail(of: code), redirects: 0, exchange.url)
            }
        return WebSocketError(failure, of: exchange.url, url)
    }

    /// Moves what can be moved. Returns whether there may be more to read, which is not waited for.
    ///
    /// - Parameter space: to read into.
    func attend(_ space: UnsafeMutableRawBufferPointer) -> Bool {
        guard phase != .connecting, channel.ending == nil, let connection = exchange?.connection else { return false }
        defer { channel.hasMoved(receivedBytes + output.sentBytes) }
        do {
            try write(to: connection)
            let hasMore = try read(from: connection, space)
            try write(to: connection)
            if let peerClose, frames.hasClosed, output.isEmpty { end(peerClose) }
            return hasMore
        } catch let fault as FrameFault {
            fail(fault, connection)
        } catch let failure as CurlFailure {
            broken(failure)
        } catch {
            channel.end(.failed(.network("\(error)", url)))
        }
        return false
    }

    /// What has to be waited for. Throws where the system has no memory for it.
    func updateInterest(in set: InterestSet) throws {
        guard socket >= 0 else { return }
        var wanted = InterestSet.Interest()
        if channel.ending == nil {
            if wantsToRead { wanted.insert(.reading) }
            if output.isBlocked { wanted.insert(.writing) }
        }
        try set.change(socket, from: interest, to: wanted)
        interest = wanted
    }

    /// Ends it. Everybody who waited was told.
    func remove(from multi: CurlMulti?) {
        let error = channel.ending?.error ?? .released(url)
        output.fail(error)
        frames.unsent?.resolve(.failure(error))
        if let exchange { multi?.remove(exchange) }
        exchange = nil
    }

    // MARK: Writing

    private func write(to connection: CurlRequest) throws(CurlFailure) {
        try output.flush(to: connection) { phase == .open ? frames.next(of: channel) : ([], []) }
    }

    // MARK: Reading

    private var wantsToRead: Bool { phase == .upgrading || peerClose == nil && channel.hasRoom }

    private func read(from connection: CurlRequest, _ space: UnsafeMutableRawBufferPointer) throws -> Bool {
        var reads = 0
        while wantsToRead {
            if !unparsed.isEmpty {
                let bytes = unparsed
                unparsed = []
                try bytes.withUnsafeBytes { try take($0) }
                continue
            }
            if reads == Self.mostReads { return true }
            guard let count = try connection.receive(into: space) else { return false }
            guard count > 0 else {
                endOfStream()
                return false
            }
            reads += 1
            receivedBytes += UInt64(count)
            try take(UnsafeRawBufferPointer(rebasing: space[..<count]))
            if channel.ending != nil { return false }
        }
        return false
    }

    private func take(_ bytes: UnsafeRawBufferPointer) throws(FrameFault) {
        var used = 0
        if phase == .upgrading {
            used = try response.take(bytes)
            try upgrade()
        }
        guard phase == .open, channel.ending == nil else { return }
        while used < bytes.count, peerClose == nil {
            guard channel.hasRoom else {
                unparsed = Array(bytes[used...])
                return
            }
            used += try parser.parse(UnsafeRawBufferPointer(rebasing: bytes[used...]), into: &assembler)
            for event in assembler.takeEvents() { obey(event) }
        }
    }

    private func upgrade() throws(FrameFault) {
        guard response.hasHead else { return }
        guard response.status == 101 else {
            if response.hasBody { reject() } else { channel.isRejected(rejection) }
            return
        }
        let (opening, deflate) = try response.opening(channel.socket, accept: accept)
        if let deflate {
            guard let inflater = MessageInflater(deflate) else {
                channel.end(.failed(.network("there is no memory for compression", url)))
                return
            }
            assembler = MessageAssembler(limit: channel.socket.maximumMessageBytes, inflater: inflater)
            let least = channel.socket.compression?.minimumBytes ?? 0
            frames = OutgoingFrames(compression: MessageDeflater(deflate).map { ($0, least) })
        }
        phase = .open
        response = HandshakeResponse()
        channel.open(opening)
    }

    private func obey(_ event: MessageAssembler.Event) {
        switch event {
        case .message(let content): channel.received(content)
        case .ping(let payload): frames.answer(ping: payload)
        case .pong(let payload): channel.receivedPong(payload)
        case .close(let code, let reason):
            peerClose = (code, reason)
            frames.answer(close: code)
        }
    }

    // MARK: Ends

    private var rejection: WebSocketRejection { response.rejection(now: WallTime(channel.socket.clock.now)) }

    private func reject() { channel.end(.failed(.rejected(rejection, url))) }

    private func end(_ close: (code: WebSocketCloseCode, reason: String)) {
        channel.end(.closed(close.code, close.reason, channel.socket))
    }

    private func endOfStream() {
        if phase == .upgrading {
            if response.hasHead { return reject() }
            channel.end(.failed(.network("the server has closed the connection without an answer", url)))
        } else {
            channel.end(.failed(.network("the connection has ended without a close frame", url)))
        }
    }

    private func broken(_ failure: CurlFailure) {
        if let peerClose { return end(peerClose) }
        let detail = exchange?.detail(of: failure.code) ?? ""
        channel.end(.failed(.network("the connection has broken off (\(detail))", url)))
    }

    /// The peer is told why, if the system takes it at once.
    private func fail(_ fault: FrameFault, _ connection: CurlRequest) {
        if phase == .open {
            frames.fail(with: fault.closeCode)
            try? write(to: connection)
        }
        switch fault {
        case .violation(let detail), .invalidData(let detail): channel.end(.failed(.violation(detail, url)))
        case .tooLong: channel.end(.failed(.tooLong(limit: channel.socket.maximumMessageBytes, url)))
        }
    }
}
