import BackgroundWorkSystem
import Synchronization

/// Signals that ask the demo to end: it stops its host and its agent first, and then ends by that signal.
enum StopSignals {
    /// SIGPIPE as well: when the reader of its output closes the pipe, the demo should end.
    private static let numbers = [SIGINT, SIGTERM, SIGHUP, SIGPIPE]
    private static let arrived = Atomic<Int32>(0)

    /// From now on they are recorded instead of ending the process.
    static func catchThem() {
        for number in numbers {
            signal(number) { StopSignals.arrived.store($0, ordering: .releasing) }
        }
    }

    /// Throws ``Stopped`` when one has arrived.
    static func check() throws(Stopped) {
        let number = arrived.load(ordering: .acquiring)
        if number != 0 { throw Stopped(signal: number) }
    }

    /// Ends the process by the signal that has arrived, as it would have ended by itself; returns if there was none.
    static func endIfStopped() {
        let number = arrived.load(ordering: .acquiring)
        guard number != 0 else { return }
        signal(number, SIG_DFL)
        // Swift's threads block signals.
        var own = sigset_t()
        sigemptyset(&own)
        sigaddset(&own, number)
        pthread_sigmask(SIG_UNBLOCK, &own, nil)
        raise(number)
    }

    /// The demo was asked to end.
    struct Stopped: Error, CustomStringConvertible {
        var signal: Int32

        var description: String {
            let names = [SIGINT: "SIGINT", SIGTERM: "SIGTERM", SIGHUP: "SIGHUP", SIGPIPE: "SIGPIPE"]
            return "stopped by \(names[signal] ?? "signal \(signal)")"
        }
    }
}
