import BackgroundWorkModel
import BackgroundWorkSystem
import CBackgroundWorkLinux
import Dispatch

/// `network`: a default route, of IPv4 or IPv6 and in any routing table, through an interface that is up.
///
/// The kernel reports when a link, a route or an IPv4 address changes; then routes and links are read again. Where
/// netlink is not allowed (in some containers) it cannot be read.
final class NetworkCondition: ConditionSource {
    let conditions: Constraints = .network
    private let open: NetlinkSocket.Opener
    private var changes: NetlinkWatch

    /// How often a dump is repeated when links or routes change during it. After that it is used, because later changes
    /// are announced anyway.
    private static let attempts = 3

    init(open: @escaping NetlinkSocket.Opener = NetlinkSocket.init) {
        self.open = open
        changes = NetlinkWatch(open: open)
    }

    func read() -> DeviceState {
        var state: DeviceState
        do throws(NetlinkError) {
            state = DeviceState(satisfied: try routes().leadOut ? conditions : [])
        } catch {
            state = .unreadable(conditions, because: error.description)
        }
        if let failure = changes.failure {
            state.unwatched = [ConditionFault(conditions, reason: "changes are not detected: \(failure)")]
        }
        return state
    }

    func beginWatching(on queue: DispatchQueue, woken: @escaping @Sendable (Wake) -> Void) {
        let groups = RTMGRP_LINK | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE | RTMGRP_IPV4_IFADDR
        changes.begin(NETLINK_ROUTE, groups: UInt32(groups), on: queue, woken: woken)
    }

    /// On some machines thousands of other routes change, which do not matter.
    func takeEvents() -> Bool {
        changes.takeEvents { NetlinkMessage.all(in: $0).contains(where: Self.matters) }
    }

    func endWatching() { changes.end() }

    private static func matters(_ message: NetlinkMessage) -> Bool {
        switch message.type {
        case Int(RTM_NEWROUTE), Int(RTM_DELROUTE): DefaultRoute.isAboutDefault(message)
        default: true
        }
    }

    /// Links first: a dump of links waits until a running change is complete, so the dump of routes then sees its
    /// result. Routes that are removed with an address or a link are not announced.
    private func routes() throws(NetlinkError) -> NetworkRoutes {
        var links = try open(NETLINK_ROUTE, 0).dump(Int(RTM_GETLINK))
        var routes = try open(NETLINK_ROUTE, 0).dump(Int(RTM_GETROUTE))
        for _ in 1..<Self.attempts where links.interrupted || routes.interrupted {
            links = try open(NETLINK_ROUTE, 0).dump(Int(RTM_GETLINK))
            routes = try open(NETLINK_ROUTE, 0).dump(Int(RTM_GETROUTE))
        }
        return NetworkRoutes(
            links: links.messages.compactMap(NetworkLink.init), defaults: routes.messages.compactMap(DefaultRoute.init))
    }
}
