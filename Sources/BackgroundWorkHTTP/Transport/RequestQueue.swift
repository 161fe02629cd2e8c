/// Which calls may run: so many in all and to one host, the hosts in turns, the calls of a host in their order. Each
/// operation takes constant time.
struct RequestQueue: Sendable {
    private struct Host: Sendable {
        var running = 0
        var waiting = FIFO<HTTPCall>()
        var isReady = false
        /// How many of those that wait have ended.
        var ended = 0
    }

    private let most: Int
    private let perHost: Int
    private var hosts: [String: Host] = [:]
    /// Those with a call that may run.
    private var ready = FIFO<String>()
    private var running = 0

    init(most: Int, perHost: Int) {
        self.most = max(1, most)
        self.perHost = max(1, perHost)
    }

    /// Those that wait, and that have not ended.
    var waiting: [HTTPCall] { hosts.values.flatMap(\.waiting.elements).filter { !$0.isEnded } }

    var hasReady: Bool { running < most && !ready.isEmpty }

    mutating func add(_ call: HTTPCall) {
        hosts[call.host, default: Host()].waiting.append(call)
        update(call.host)
    }

    /// Calls that may run now, which count as running.
    mutating func takeReady() -> [HTTPCall] {
        var taken: [HTTPCall] = []
        while running < most, let name = ready.popFirst() {
            hosts[name]?.isReady = false
            if let call = hosts[name]?.waiting.popFirst(), !call.isEnded {
                hosts[name]?.running += 1
                running += 1
                taken.append(call)
            }
            update(name)
        }
        return taken
    }

    /// A running call has ended.
    mutating func ended(_ call: HTTPCall) {
        hosts[call.host]?.running -= 1
        running -= 1
        update(call.host)
    }

    /// A call has ended that may be waiting. When half of a host's have, they are let go.
    mutating func gaveUp(_ call: HTTPCall) {
        guard var host = hosts[call.host], !host.waiting.isEmpty else { return }
        host.ended += 1
        if host.ended * 2 > host.waiting.count {
            var left = FIFO<HTTPCall>()
            for call in host.waiting.elements where !call.isEnded { left.append(call) }
            (host.waiting, host.ended) = (left, 0)
        }
        hosts[call.host] = host
    }

    /// All that wait, which are forgotten.
    mutating func takeAll() -> [HTTPCall] {
        defer {
            hosts = [:]
            ready = FIFO()
        }
        return waiting
    }

    private mutating func update(_ name: String) {
        guard let host = hosts[name] else { return }
        if host.waiting.isEmpty {
            if host.running == 0 { hosts[name] = nil }
        } else if !host.isReady, host.running < perHost {
            hosts[name]?.isReady = true
            ready.append(name)
        }
    }
}

extension HTTPCall {
    /// Whose slots it takes.
    fileprivate var host: String { request.url.scheme + "://" + request.url.host }
}
