import BackgroundWorkFiles
import BackgroundWorkSystem
import CBackgroundWorkLinux

/// The sockets that the network's thread waits for, in one descriptor: a thousand that are idle cost no more than one.
final class InterestSet: Sendable {
    /// What is waited for.
    struct Interest: OptionSet, Sendable {
        let rawValue: Int32
        static let reading = Interest(rawValue: Int32(BGW_INTEREST_READ))
        static let writing = Interest(rawValue: Int32(BGW_INTEREST_WRITE))
    }

    let descriptor: Int32

    init() throws(FileError) {
        descriptor = bgw_interest_descriptor()
        guard descriptor >= 0 else {
            throw FileError(action: "make an event descriptor for", path: "WebSockets", code: errno)
        }
    }

    deinit { close(descriptor) }

    /// Throws where the system has no memory for it.
    func change(_ socket: Int32, from before: Interest, to now: Interest) throws(FileError) {
        guard before != now else { return }
        if bgw_interest_set(descriptor, socket, before.rawValue, now.rawValue) != 0, !now.isEmpty {
            throw FileError(action: "watch", path: "a socket", code: errno)
        }
    }

    /// Sockets that are ready now.
    var ready: [Int32] {
        var sockets = [Int32](repeating: 0, count: 64)
        let count = bgw_interest_ready(descriptor, &sockets, 64)
        return Array(sockets.prefix(Int(count)))
    }
}
