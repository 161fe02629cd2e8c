import BackgroundWorkFiles
import BackgroundWorkSystem
import Synchronization

/// SIGTERM and SIGINT, for any number of subscribers.
///
/// The handler writes a byte into a pipe, so that from the moment it is installed no signal is lost. A separate
/// thread reads the pipe and informs all subscribers; a later subscriber is informed of an earlier signal.
enum TerminationSignals {
    /// A subscriber that waits for a signal, once.
    final class Subscription: Sendable {
        private enum State {
            case new
            case waiting(@Sendable (Int32?) -> Void)
            case told(Int32?)
            case done
        }

        private let state = Mutex(State.new)

        /// - Parameter told: called once, on the signals' thread or that of the cancellation: with the signal, or
        ///   `nil` after ``cancel()``. May be called at once.
        func wait(_ told: @escaping @Sendable (Int32?) -> Void) {
            TerminationSignals.add(self)
            let earlier = state.withLock { state -> Int32?? in
                if case .told(let signal) = state {
                    state = .done
                    return .some(signal)
                }
                state = .waiting(told)
                return nil
            }
            if let earlier { told(earlier) }
        }

        @Sendable func cancel() { tell(nil) }

        func tell(_ signal: Int32?) {
            let told = state.withLock { state -> (@Sendable (Int32?) -> Void)? in
                switch state {
                case .new: state = .told(signal)
                case .waiting(let told):
                    state = .done
                    return told
                case .told, .done: break
                }
                return nil
            }
            told?(signal)
        }
    }

    private struct State {
        var isInstalled = false
        var arrived: Int32?
        var subscriptions: [Subscription] = []
    }

    private static let writeEnd = Atomic<Int32>(-1)
    private static let state = Mutex(State())

    private static func add(_ subscription: Subscription) {
        install()
        let arrived = state.withLock { state in
            state.subscriptions.append(subscription)
            return state.arrived
        }
        if let arrived { subscription.tell(arrived) }
    }

    private static func install() {
        let isFirst = state.withLock { state in
            defer { state.isInstalled = true }
            return !state.isInstalled
        }
        guard isFirst else { return }
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return state.withLock { $0.isInstalled = false } }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        writeEnd.store(ends[1], ordering: .releasing)
        let readEnd = ends[0]
        SystemThread.start { follow(readEnd) }
        for number in [SIGTERM, SIGINT] {
            signal(number) { number in
                var byte = UInt8(truncatingIfNeeded: number)
                _ = write(TerminationSignals.writeEnd.load(ordering: .acquiring), &byte, 1)
            }
        }
    }

    private static func follow(_ readEnd: Int32) {
        var byte: UInt8 = 0
        while true {
            guard read(readEnd, &byte, 1) == 1 else {
                if errno == EINTR { continue }
                return
            }
            let number = Int32(byte)
            let waiting = state.withLock { state in
                state.arrived = number
                defer { state.subscriptions = [] }
                return state.subscriptions
            }
            for subscription in waiting { subscription.tell(number) }
        }
    }
}

/// Ensures that a process that was told to end does end, also when its own code gets no thread to continue on.
final class WentOn: Sendable {
    private let isConfirmed = Atomic(false)
    /// Shutdowns of this process that are in progress.
    private static let shutdowns = Atomic(0)

    static func shutdownBegins() { shutdowns.add(1, ordering: .sequentiallyConsistent) }

    static func shutdownEnds() { shutdowns.subtract(1, ordering: .sequentiallyConsistent) }

    /// The code after the shutdown runs.
    func confirm() { isConfirmed.store(true, ordering: .releasing) }

    /// Ends the process, as a return from `main` would, unless the code has continued a second later.
    func orElseExit() {
        SystemThread.start { [self] in
            repeat { sleep(1) } while Self.shutdowns.load(ordering: .sequentiallyConsistent) > 0
            if isConfirmed.load(ordering: .acquiring) { return }
            fflush(nil)
            // Not `exit`: it would destroy what other threads still use.
            _exit(0)
        }
    }
}
