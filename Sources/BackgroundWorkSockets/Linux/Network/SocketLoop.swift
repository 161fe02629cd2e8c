import BackgroundWorkExchange
import BackgroundWorkSystem
import BackgroundWorkTransfers
import CBackgroundWorkCurl

/// The connections of one transport, on the thread that calls ``run()``.
final class SocketLoop {
    private static let readBytes = 64 << 10

    private let inbox: CommandInbox<CurlEngine.Command>
    private let interest: InterestSet
    private let throttle = Throttle()
    private let space = UnsafeMutableRawBufferPointer.allocate(byteCount: readBytes, alignment: 16)
    private var multi: CurlMulti?
    private var poller = EventPoller()
    private var wires: [ObjectIdentifier: SocketWire] = [:]
    private var bySocket: [Int32: SocketWire] = [:]
    /// Those that libcurl connects.
    private var connecting: [ObjectIdentifier: SocketWire] = [:]
    /// Those that may have more to read.
    private var busy: [ObjectIdentifier: SocketWire] = [:]
    private var isClosed = false

    init(_ inbox: CommandInbox<CurlEngine.Command>, _ interest: InterestSet) {
        self.inbox = inbox
        self.interest = interest
    }

    deinit { space.deallocate() }

    /// Returns when the transport was closed.
    func run() {
        Self.withoutBrokenPipes()
        while true {
            for command in inbox.takeAll() { obey(command) }
            if isClosed { break }
            if !connecting.isEmpty { connect() }
            let again = busy.values
            busy = [:]
            for wire in again { attend(wire) }
            poller.reset()
            poller.watch(inbox.descriptor)
            poller.watch(interest.descriptor)
            poller.wait(transfers: connecting.isEmpty ? nil : multi, until: busy.isEmpty ? nil : .now)
            for socket in interest.ready {
                if let wire = bySocket[socket] { attend(wire) }
            }
        }
        for wire in Array(wires.values) {
            wire.channel.end(.failed(.released(wire.channel.socket.url)))
            remove(wire)
        }
    }

    /// OpenSSL writes to sockets whose peer may be gone, which before libcurl 7.87 raises SIGPIPE in this thread.
    private static func withoutBrokenPipes() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    private func obey(_ command: CurlEngine.Command) {
        switch command {
        case .open(let channel): open(channel)
        case .attend(let channel): if let wire = wires[ObjectIdentifier(channel)] { attend(wire) }
        case .close: isClosed = true
        }
    }

    private func open(_ channel: SocketChannel) {
        if channel.ending != nil { return }
        let wire = SocketWire(channel)
        do throws(TransferFailure) {
            try wire.begin(on: try loadedMulti(for: channel), throttle)
            wires[ObjectIdentifier(channel)] = wire
            if let exchange = wire.exchange { connecting[ObjectIdentifier(exchange)] = wire }
        } catch {
            channel.end(
                .failed(WebSocketError(error, of: TransferURL(channel.socket.http.address), channel.socket.url)))
        }
    }

    private func loadedMulti(for channel: SocketChannel) throws(TransferFailure) -> CurlMulti {
        if let multi { return multi }
        let loaded = try CurlMulti.loaded(for: TransferURL(channel.socket.http.address))
        multi = loaded
        return loaded
    }

    private func connect() {
        guard let multi else { return }
        multi.perform()
        while let (exchange, code) = multi.nextDone() {
            guard let wire = connecting.removeValue(forKey: ObjectIdentifier(exchange)) else { continue }
            wire.connected(code)
            if wire.socket >= 0 { bySocket[wire.socket] = wire }
            // At once: until something is sent, libcurl takes a connection for one that is idle, and may close it.
            attend(wire)
        }
    }

    private func attend(_ wire: SocketWire) {
        let hasMore = wire.attend(space)
        do {
            try wire.updateInterest(in: interest)
        } catch {
            wire.channel.end(.failed(.network("\(error)", wire.channel.socket.url)))
        }
        if wire.channel.ending != nil {
            remove(wire)
        } else if hasMore {
            busy[ObjectIdentifier(wire)] = wire
        }
    }

    private func remove(_ wire: SocketWire) {
        // Once: the number of its socket may be another's afterwards.
        guard wires.removeValue(forKey: ObjectIdentifier(wire.channel)) != nil else { return }
        if wire.socket >= 0 {
            try? wire.updateInterest(in: interest)
            bySocket[wire.socket] = nil
        }
        if let exchange = wire.exchange { connecting[ObjectIdentifier(exchange)] = nil }
        busy[ObjectIdentifier(wire)] = nil
        wire.remove(from: multi)
    }
}
