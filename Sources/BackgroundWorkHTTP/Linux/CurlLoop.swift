import BackgroundWorkExchange
import BackgroundWorkModel
import BackgroundWorkTransfers

/// The requests of one transport, on the thread that calls ``run()``.
final class CurlLoop {
    private let inbox: CurlInbox
    private let configuration: HTTPTransport.Configuration
    private let pool = ExchangePool()
    private var cookies: CookieJar?
    private var poller = EventPoller()
    private var running: [ObjectIdentifier: CurlExchange] = [:]
    private var queue: RequestQueue
    /// The first time limit of all calls, or an earlier instant.
    private var nextDeadline: SuspendingClock.Instant?
    private var isClosed = false

    init(_ inbox: CurlInbox, _ configuration: HTTPTransport.Configuration) {
        self.inbox = inbox
        self.configuration = configuration
        queue = RequestQueue(most: configuration.maximumRequests, perHost: configuration.maximumRequestsPerHost)
        pool.throttle.limitAll(to: configuration.bytesPerSecond.map { max(1, $0) })
    }

    /// Returns when the transport was closed.
    func run() {
        while true {
            for command in inbox.takeAll() { obey(command) }
            if isClosed { break }
            for call in queue.takeReady() { begin(call) }
            let now = SuspendingClock.now
            endLate(now: now)
            pool.turn(now: now)
            // What has ended makes room.
            if queue.hasReady { continue }
            poller.reset()
            poller.watch(inbox.descriptor)
            poller.wait(
                transfers: pool.pollable, until: [nextDeadline, pool.nextDeadline].compactMap { $0 }.min())
        }
        for exchange in Array(running.values) {
            exchange.call.finish(CancellationError())
            exchange.stop(on: pool)
        }
        for call in queue.takeAll() { call.finish(CancellationError()) }
    }

    private func obey(_ command: CurlCommand) {
        switch command {
        case .begin(let call):
            if call.isEnded { return }
            queue.add(call)
            nextDeadline = nextDeadline.map { min($0, call.deadline) } ?? call.deadline
        case .stop(let call):
            if let exchange = running.removeValue(forKey: ObjectIdentifier(call)) {
                exchange.stop(on: pool)
                queue.ended(call)
            } else {
                queue.gaveUp(call)
            }
        case .hasRoom(let call): running[ObjectIdentifier(call)]?.hasRoom()
        case .hasMore(let call): running[ObjectIdentifier(call)]?.hasMore()
        case .close: isClosed = true
        }
    }

    private func begin(_ call: HTTPCall) {
        let exchange = CurlExchange(call) { [unowned self] in
            running.removeValue(forKey: ObjectIdentifier(call))
            queue.ended(call)
        }
        running[ObjectIdentifier(call)] = exchange
        do throws(TransferFailure) {
            if configuration.keepsCookies, cookies == nil {
                // It needs libcurl.
                try pool.load(for: call.request.address)
                cookies = CookieJar()
            }
            try exchange.begin(on: pool, cookies: cookies)
        } catch {
            running.removeValue(forKey: ObjectIdentifier(call))
            queue.ended(call)
            call.finish(HTTPError(error))
        }
    }

    private func endLate(now: SuspendingClock.Instant) {
        guard let deadline = nextDeadline, deadline <= now else { return }
        let calls = running.values.map(\.call) + queue.waiting
        for call in calls where call.deadline <= now {
            // What stops it comes by the inbox.
            call.endLate()
        }
        nextDeadline = calls.lazy.map(\.deadline).filter { $0 > now }.min()
    }
}

/// What the threads of a process want of the network's thread.
typealias CurlInbox = CommandInbox<CurlCommand>

enum CurlCommand: Sendable {
    case begin(HTTPCall)
    /// It has ended from outside.
    case stop(HTTPCall)
    /// Its sink has room.
    case hasRoom(HTTPCall)
    /// Its body has more bytes.
    case hasMore(HTTPCall)
    case close
}
