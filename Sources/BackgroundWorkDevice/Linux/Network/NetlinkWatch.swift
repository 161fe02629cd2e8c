import BackgroundWorkSystem
import Dispatch

/// The kernel's announcements to a netlink group, received while a condition is watched.
struct NetlinkWatch {
    private let open: NetlinkSocket.Opener
    private var socket: NetlinkSocket?
    private var readable: EventSource?
    /// Why nothing can be received; `nil` if it can, or was not tried.
    private(set) var failure: NetlinkError?

    init(open: @escaping NetlinkSocket.Opener) { self.open = open }

    mutating func begin(
        _ protocol: Int32, groups: UInt32, on queue: DispatchQueue,
        woken: @escaping @Sendable (Wake) -> Void
    ) {
        do throws(NetlinkError) {
            let socket = try open(`protocol`, groups)
            guard let source = EventSource(of: socket.descriptor, on: queue, woken: woken) else {
                throw NetlinkError("watching a netlink socket")
            }
            readable = source
            self.socket = socket
            failure = nil
        } catch {
            failure = error
        }
    }

    /// Receives all announcements that are waiting. Returns whether one of them matters, or some were lost.
    func takeEvents(where matters: (_ datagram: [UInt8]) -> Bool) -> Bool {
        var someMatter = false
        while true {
            do throws(NetlinkError) {
                guard let datagram = try socket?.receive() else { return someMatter }
                someMatter = someMatter || matters(datagram)
            } catch {
                someMatter = true
                // Some messages were lost. The rest must be read as well: until the queue is empty the kernel does not
                // report further losses.
                guard error.code == ENOBUFS else { return someMatter }
            }
        }
    }

    mutating func end() {
        readable = nil
        socket = nil
    }
}
