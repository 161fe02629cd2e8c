import BackgroundWorkSystem
import CBackgroundWorkLinux

/// The interfaces and default routes of a machine at one moment, and the condition computed from them.
struct NetworkRoutes: Equatable {
    var links: [NetworkLink]
    var defaults: [DefaultRoute]

    /// Whether a default route leads through an interface that is up and has a carrier. Loopback does not count. A
    /// route without an interface cannot be checked, and counts.
    var leadOut: Bool {
        let ways = Set(links.filter { $0.isRunning && !$0.isLoopback }.map(\.index))
        return defaults.contains { $0.interfaces.contains { $0.map(ways.contains) ?? true } }
    }
}

/// A route to everywhere, as a route message describes it.
struct DefaultRoute: Equatable {
    /// The interfaces it leads through; `nil` for one that the message does not name.
    let interfaces: [Int32?]

    private static let bodyLength = 12
    private static let unusable = UInt32(RTNH_F_DEAD) | UInt32(RTNH_F_LINKDOWN)

    init(interfaces: [Int32?]) { self.interfaces = interfaces }

    /// `nil` for every other message: about a route that is not a default route, one that rejects ("unreachable
    /// default"), or one whose next hops are all dead.
    init?(_ message: NetlinkMessage) {
        let body = message.payload
        guard message.type == Int(RTM_NEWROUTE), Self.isAboutDefault(message),
            body.integer(UInt8.self, at: 7).map(Int.init) == Int(RTN_UNICAST),
            let flags = body.integer(UInt32.self, at: 8), flags & UInt32(RTM_F_CLONED) == 0,
            let attributes = body.part(from: Self.bodyLength).map(NetlinkAttribute.all)
        else { return nil }
        if let several = attributes.first(where: { $0.type == Int(RTA_MULTIPATH.rawValue) }) {
            interfaces = Self.ways(in: several.value)
        } else {
            let one = attributes.first { $0.type == Int(RTA_OIF.rawValue) }
            interfaces = flags & Self.unusable == 0 ? [one?.value.integer(Int32.self, at: 0)] : []
        }
        if interfaces.isEmpty { return nil }
    }

    /// Whether a message about an added or removed route is about a default route of IPv4 or IPv6.
    static func isAboutDefault(_ message: NetlinkMessage) -> Bool {
        guard message.type == Int(RTM_NEWROUTE) || message.type == Int(RTM_DELROUTE),
            let family = message.payload.integer(UInt8.self, at: 0).map(Int32.init),
            let prefixLength = message.payload.integer(UInt8.self, at: 1)
        else { return false }
        return (family == AF_INET || family == AF_INET6) && prefixLength == 0
    }

    /// The usable next hops of a route with several: `struct rtnexthop`, each with its own flags.
    private static func ways(in value: NativeBytes) -> [Int32?] {
        var interfaces: [Int32?] = []
        var rest = value
        while let length = rest.integer(UInt16.self, at: 0).map(Int.init), length >= 8,
            let flags = rest.integer(UInt8.self, at: 2), let interface = rest.integer(Int32.self, at: 4)
        {
            if UInt32(flags) & unusable == 0 { interfaces.append(interface) }
            guard let next = rest.part(from: (length + 3) & ~3) else { break }
            rest = next
        }
        return interfaces
    }
}

/// A network interface, as a link message describes it.
struct NetworkLink: Equatable {
    let index: Int32
    /// Up, and with a carrier: the flag is cleared when the cable is unplugged, although the routes remain.
    let isRunning: Bool
    let isLoopback: Bool

    init(index: Int32, isRunning: Bool, isLoopback: Bool) {
        self.index = index
        self.isRunning = isRunning
        self.isLoopback = isLoopback
    }

    init?(_ message: NetlinkMessage) {
        guard message.type == Int(RTM_NEWLINK),
            let index = message.payload.integer(Int32.self, at: 4),
            let flags = message.payload.integer(UInt32.self, at: 8).map(Int.init)
        else { return nil }
        let running = Int(IFF_UP) | Int(IFF_RUNNING)
        self.init(
            index: index, isRunning: flags & running == running, isLoopback: flags & Int(IFF_LOOPBACK) != 0)
    }
}
