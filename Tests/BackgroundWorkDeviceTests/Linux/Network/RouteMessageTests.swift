import CBackgroundWorkLinux
import Testing

@testable import BackgroundWorkDevice

/// Messages as a kernel 6.18 sent them.
struct RouteMessageTests {
    /// default via 192.0.2.1 dev eth0
    private static let ipv4 = bytes(
        "3400000018000200010000001a0f000002000000fe0300010000000008000f00fe00000008000500c00002010800040004000000")
    /// default via fd00::1 dev eth0 metric 1024
    private static let ipv6 = bytes(
        "7400000018000200010000001a0f00000a000000fe0300010000000008000f00fe000000080006000004000014000500fd0000000000000000"
            + "00000000000001080004000400000024000c0000000000000000000000000000000000000000000000000000000000000000000500140000"
            + "000000")
    /// default nexthop via 10.0.0.2 dev v0 nexthop via 10.0.0.3 dev v0
    private static let twoHops = bytes(
        "480000001800020001000000ef0f000002000000fe0300010000000008000f00fe000000240009001000000003000000080005000a00000210"
            + "00000003000000080005000a000003")
    /// The same after the carrier was lost.
    private static let deadHops = bytes(
        "4800000018000200010000001910000002000000fe0300011000000008000f00fe000000240009001000100003000000080005000a00000210"
            + "00100003000000080005000a000003")
    /// unreachable default metric 5
    private static let unreachable = bytes(
        "2c0000001800020001000000ef0f000002000000fe0300070000000008000f00fe0000000800060005000000")

    private static func bytes(_ hex: String) -> [UInt8] {
        let digits = hex.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
    }

    private func route(_ bytes: [UInt8]) -> DefaultRoute? {
        NetlinkMessage.all(in: bytes).first.flatMap(DefaultRoute.init)
    }

    @Test("default routes of both families name their interfaces")
    func interfaces() {
        #expect(route(Self.ipv4)?.interfaces == [4])
        #expect(route(Self.ipv6)?.interfaces == [4])
        #expect(route(Self.twoHops)?.interfaces == [3, 3])
    }

    @Test("an unreachable route, one whose next hops are dead, and a specific one are not default routes")
    func noWay() {
        #expect(route(Self.unreachable) == nil)
        #expect(route(Self.deadHops) == nil)
        var somewhere = Self.ipv4
        somewhere[17] = 24
        #expect(route(somewhere) == nil)
        #expect(NetlinkMessage.all(in: somewhere).map(DefaultRoute.isAboutDefault) == [false])
    }

    @Test("several messages of one datagram are told apart")
    func several() {
        let messages = NetlinkMessage.all(in: Self.ipv4 + Self.unreachable + Self.ipv6)
        #expect(messages.map { DefaultRoute($0)?.interfaces } == [[4], nil, [4]])
        #expect(messages.map(DefaultRoute.isAboutDefault) == [true, true, true])
    }

    @Test("bytes that are cut off or changed anywhere are read without harm", arguments: [ipv4, ipv6, twoHops])
    func damaged(bytes: [UInt8]) {
        for length in bytes.indices { _ = route(Array(bytes[..<length])) }
        for index in bytes.indices {
            for value: UInt8 in [0, 1, 3, 4, 0x7f, 0xff] {
                var damaged = bytes
                damaged[index] = value
                _ = route(damaged)
            }
        }
        #expect(route(Array(bytes.dropLast())) == nil)
    }

    @Test("a default route leads out through an interface that runs and is not loopback")
    func leadsOut() {
        let running = NetworkLink(index: 4, isRunning: true, isLoopback: false)
        let down = NetworkLink(index: 3, isRunning: false, isLoopback: false)
        let loopback = NetworkLink(index: 1, isRunning: true, isLoopback: true)
        func leadsOut(_ ways: [Int32?]...) -> Bool {
            NetworkRoutes(links: [loopback, down, running], defaults: ways.map { DefaultRoute(interfaces: $0) }).leadOut
        }
        #expect(leadsOut([4]))
        #expect(leadsOut([3], [3, 4]))
        #expect(leadsOut([nil]))
        #expect(!leadsOut())
        #expect(!leadsOut([3], [1], [99]))
    }
}
