import BackgroundWorkModel
import BackgroundWorkSystem
import CBackgroundWorkLinux
import Dispatch
import Foundation
import Testing

@testable import BackgroundWorkDevice

@Suite(.timeLimit(.minutes(5)))
struct NetworkConditionTests {
    private static let canMakeNetworks: ConditionTrait = .enabled(
        "makes a network of its own, which needs root and ip"
    ) { await NetworkNamespace.isPossible }

    /// One interface with a carrier, an address and a neighbour, and no way out yet.
    private func network() async throws -> NetworkNamespace {
        let network = try await NetworkNamespace()
        try await network.ip(
            "link set lo up", "link add name v0 type veth peer name v1", "link set v1 up", "link set v0 up",
            "addr add 10.0.0.1/24 dev v0", "-6 addr add fd01::1/64 dev v0 nodad")
        return network
    }

    private func device(in network: NetworkNamespace) -> PlatformDeviceState {
        PlatformDeviceState(sources: [NetworkCondition(open: network.open)])
    }

    @Test(
        "the network comes with a default route and goes with it, the carrier, the interface or the address, at once",
        canMakeNetworks)
    func changes() async throws {
        let network = try await network()
        var changes = device(in: network).changes(of: .network).makeAsyncIterator()
        func next() async -> Bool? { await changes.next()?.satisfied.contains(.network) }
        #expect(await next() == false)
        try await network.ip("route add default via 10.0.0.2 dev v0")
        #expect(await next() == true)
        try await network.ip("link set v1 down")
        #expect(await next() == false)
        try await network.ip("link set v1 up")
        #expect(await next() == true)
        try await network.ip("route del default")
        #expect(await next() == false)
        try await network.ip("-6 route add default via fd01::2 dev v0")
        #expect(await next() == true)
        try await network.ip("link set v0 down")
        #expect(await next() == false)
        try await network.ip("link set v0 up", "route add default via 10.0.0.2 dev v0 src 10.0.0.1")
        #expect(await next() == true)
        try await network.ip("addr del 10.0.0.1/24 dev v0")
        #expect(await next() == false)
    }

    @Test("several next hops are a default route while one of them works", canMakeNetworks)
    func multipath() async throws {
        let network = try await network()
        try await network.ip(
            "link add name w0 type veth peer name w1", "link set w1 up", "link set w0 up",
            "addr add 10.0.1.1/24 dev w0",
            "route add default nexthop via 10.0.0.2 dev v0 nexthop via 10.0.1.2 dev w0")
        var changes = device(in: network).changes(of: .network).makeAsyncIterator()
        #expect(await changes.next()?.satisfied == .network)
        try await network.ip("link set v1 down")
        try await network.ip("link set w1 down")
        #expect(await changes.next()?.satisfied == [])
    }

    @Test(
        "an unreachable route or one to loopback is not a default route, and one of another table is", canMakeNetworks)
    func otherRoutes() async throws {
        let network = try await network()
        let device = device(in: network)
        try await network.ip("route add unreachable default metric 50", "route add default dev lo metric 60")
        #expect(await device.state().satisfied == [])
        try await network.ip("route add default via 10.0.0.2 dev v0 table 77")
        #expect(await device.state().satisfied == .network)
    }

    @Test("routes to somewhere do not matter, but announcements that were lost do", canMakeNetworks)
    func lostAnnouncements() async throws {
        let network = try await network()
        let queue = DispatchQueue(label: "nobody drains")
        queue.suspend()
        defer { queue.resume() }
        let condition = NetworkCondition { (family, groups) throws(NetlinkError) in
            let socket = try network.open(family, groups)
            var size: Int32 = 1
            setsockopt(socket.descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
            return socket
        }
        condition.beginWatching(on: queue) { _ in }
        // A link that has just come up has more to tell for a moment, which does matter.
        var isIgnored = false
        for host in 1...50 where !isIgnored {
            try await network.ip("route add 10.9.0.\(host) dev v0")
            isIgnored = !condition.takeEvents()
        }
        #expect(isIgnored)
        for octet in 0..<8 {
            try await network.ip("route add 10.8.\(octet).0/24 dev v0", "route add 10.7.\(octet).0/24 dev v0")
        }
        #expect(condition.takeEvents())
        #expect(!condition.takeEvents())
        condition.endWatching()
    }

    @Test("what the kernel dumps here agrees with /proc/net/route")
    func agreesWithProc() throws {
        let messages = try NetlinkSocket(NETLINK_ROUTE, 0).dump(Int(RTM_GETROUTE)).messages
        let routes = messages.filter { message in
            // The main table's, of IPv4: what that file shows.
            message.payload.integer(UInt8.self, at: 0).map(Int32.init) == AF_INET
                && message.payload.integer(UInt8.self, at: 4) == 254
        }.compactMap(DefaultRoute.init)
        let interfaces = Set(routes.flatMap(\.interfaces).compactMap(\.self))
        let table = try String(contentsOfFile: "/proc/net/route", encoding: .utf8).split(separator: "\n").dropFirst()
            .map { $0.split(whereSeparator: \.isWhitespace) }
        let expected = Set(
            table.filter { $0[1] == "00000000" && $0[7] == "00000000" }.map { Int32(if_nametoindex(String($0[0]))) })
        #expect(interfaces == expected)
    }

    @Test("a kernel that may not be asked does not say whether there is a network")
    func notAllowed() {
        let condition = NetworkCondition { (_, _) throws(NetlinkError) in
            throw NetlinkError("opening a netlink socket", code: EPERM)
        }
        condition.beginWatching(on: DispatchQueue(label: "none")) { _ in }
        let refusal = "opening a netlink socket: Operation not permitted"
        #expect(
            condition.read()
                == DeviceState(
                    satisfied: [], unreadable: [ConditionFault(.network, reason: refusal)],
                    unwatched: [ConditionFault(.network, reason: "changes are not detected: \(refusal)")]))
    }
}
