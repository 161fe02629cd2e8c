import BackgroundWorkSystem
import CBackgroundWorkLinux

/// A netlink socket. No call waits, except for a dump, which waits at most one second.
final class NetlinkSocket {
    /// Opens a socket for a protocol and groups. Tests open them in a network namespace of their own.
    typealias Opener = (_ protocol: Int32, _ groups: UInt32) throws(NetlinkError) -> NetlinkSocket

    let descriptor: Int32
    private static let patienceMilliseconds: Int32 = 1000
    /// The kernel puts up to 32 kB into one datagram of a dump.
    private static let datagramSize = 64 * 1024

    init(_ protocol: Int32, _ groups: UInt32) throws(NetlinkError) {
        descriptor = bgw_netlink_open(`protocol`, groups)
        guard descriptor >= 0 else { throw NetlinkError("opening a netlink socket") }
    }

    deinit { close(descriptor) }

    /// The next datagram of the kernel, or `nil` when none is waiting. Throws ENOBUFS when some were lost.
    func receive() throws(NetlinkError) -> [UInt8]? {
        while true {
            var sender: UInt32 = 0
            var length = 0
            let datagram = [UInt8](unsafeUninitializedCapacity: Self.datagramSize) { buffer, count in
                length = bgw_netlink_receive(descriptor, buffer.baseAddress, buffer.count, &sender)
                count = max(0, length)
            }
            guard length >= 0 else {
                if errno == EAGAIN { return nil }
                throw NetlinkError("reading a netlink socket")
            }
            if sender == 0 { return datagram }
        }
    }

    /// All links (RTM_GETLINK) or all routes (RTM_GETROUTE). The second value is true if they changed meanwhile.
    func dump(_ type: Int) throws(NetlinkError) -> (messages: [NetlinkMessage], interrupted: Bool) {
        guard bgw_netlink_request_dump(descriptor, UInt16(type)) == 0 else { throw NetlinkError("asking for a dump") }
        var messages: [NetlinkMessage] = []
        var interrupted = false
        while true {
            guard let datagram = try receive() else {
                try waitForMore()
                continue
            }
            for message in NetlinkMessage.all(in: datagram) {
                interrupted = interrupted || message.isInterrupted
                switch message.type {
                case Int(NLMSG_DONE), Int(NLMSG_ERROR):
                    guard message.errorNumber == 0 else { throw NetlinkError("dumping", code: message.errorNumber) }
                    return (messages, interrupted)
                default: messages.append(message)
                }
            }
        }
    }

    /// The kernel sends a dump at once; a second without more data means that it will not come.
    private func waitForMore() throws(NetlinkError) {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&wanted, 1, Self.patienceMilliseconds) > 0 else { throw NetlinkError("waiting", code: ETIMEDOUT) }
    }
}

/// A failed netlink call: what was done, and the system's description of the error.
struct NetlinkError: Error, CustomStringConvertible {
    let call: String
    let code: Int32

    init(_ call: String, code: Int32 = errno) {
        self.call = call
        self.code = code
    }

    var description: String { "\(call): \(String(cString: strerror(code)))" }
}
