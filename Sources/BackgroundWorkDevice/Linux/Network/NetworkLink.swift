#if os(Linux)
import CBackgroundWorkLinux
import Glibc

/// A network interface, as a link message describes it.
struct NetworkLink: Equatable {
    let index: Int32
    /// Up, and with a carrier: the flag goes when the cable is pulled, although its routes stay.
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
#endif
