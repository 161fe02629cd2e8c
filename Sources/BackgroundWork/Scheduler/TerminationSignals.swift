import BackgroundWorkFiles
import Dispatch
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// SIGTERM and SIGINT as something to wait for, by any number of tasks.
///
/// The handler writes a byte into a pipe, so that from the moment it is installed no signal is lost. A thread reads it
/// and tells all who wait; who comes later is told of the signal that came before.
enum TerminationSignals {
    private struct State {
        var isInstalled = false
        var arrived: Int32?
        var next = 0
        var waiting: [Int: CheckedContinuation<Int32?, Never>] = [:]
        var cancelled: Set<Int> = []
    }

    private static let writeEnd = Atomic<Int32>(-1)
    private static let state = Mutex(State())

    /// Returns the signal that came; `nil` when the task was cancelled.
    static func wait(isolation: isolated (any Actor)? = #isolation) async -> Int32? {
        install()
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        return await withTaskCancellationHandler(
            operation: {
                await withCheckedContinuation(isolation: isolation) { continuation in
                    let answer = state.withLock { state -> Int32?? in
                        if let arrived = state.arrived { return .some(arrived) }
                        if state.cancelled.remove(number) != nil { return .some(nil) }
                        state.waiting[number] = continuation
                        return nil
                    }
                    if let answer { continuation.resume(returning: answer) }
                }
            }, onCancel: { cancel(number) }, isolation: isolation)
    }

    private static func cancel(_ number: Int) {
        let waiting = state.withLock { state in
            if state.waiting[number] == nil { state.cancelled.insert(number) }
            return state.waiting.removeValue(forKey: number)
        }
        waiting?.resume(returning: nil)
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
                defer { state.waiting = [:] }
                return Array(state.waiting.values)
            }
            for continuation in waiting { continuation.resume(returning: number) }
        }
    }
}
