import BackgroundWorkFiles
import BackgroundWorkSystem
import CBackgroundWorkCurl
import CBackgroundWorkLinux

/// Waits for the agent's own descriptors, together with libcurl's when transfers run.
package struct EventPoller {
    private var watched: [curl_waitfd] = []
    private var plain: [pollfd] = []

    package init() {}

    package mutating func reset() { watched.removeAll(keepingCapacity: true) }

    /// Every descriptor is watched for reading as well: libcurl reports a hang-up only as readable, and a hang-up on a
    /// descriptor not watched for reading would make every wait return at once.
    package mutating func watch(_ descriptor: Int32, forWriting: Bool = false) {
        let events = POLLIN | (forWriting ? POLLOUT : 0)
        watched.append(curl_waitfd(fd: descriptor, events: Int16(events), revents: 0))
    }

    /// Waits until a descriptor is ready or the instant has come; `nil` waits without a limit.
    package mutating func wait(transfers: CurlMulti?, until due: SuspendingClock.Instant?) {
        let milliseconds = due.map { Self.milliseconds(until: $0) }
        if let transfers {
            transfers.poll(&watched, milliseconds: milliseconds ?? .max)
            return
        }
        plain.removeAll(keepingCapacity: true)
        for one in watched { plain.append(pollfd(fd: one.fd, events: one.events, revents: 0)) }
        // An interrupted poll reports nothing ready, and the loop polls again.
        _ = poll(&plain, nfds_t(plain.count), milliseconds ?? -1)
        for index in watched.indices { watched[index].revents = plain[index].revents }
    }

    /// Rounded up, so that the wait does not end just before the instant.
    private static func milliseconds(until due: SuspendingClock.Instant) -> Int32 {
        let (seconds, attoseconds) = (due - .now).components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        guard seconds < 1_000_000 else { return 1_000_000_000 }
        return Int32(seconds) * 1000 + Int32((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }

    /// The descriptors that are ready, in the order they were watched.
    package var ready: [Int32] { watched.filter { $0.revents != 0 }.map(\.fd) }
}

/// An eventfd that any thread writes to, and that makes the network loop's poll return.
package final class WakeDescriptor: Sendable {
    package let descriptor: Int32

    package init() throws(FileError) {
        descriptor = bgw_event_descriptor()
        guard descriptor >= 0 else {
            throw FileError(action: "make an event descriptor for", path: "the network loop", code: errno)
        }
    }

    deinit { close(descriptor) }

    package func wake() {
        var one: UInt64 = 1
        _ = write(descriptor, &one, 8)
    }

    package func clear() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, 8)
    }
}
