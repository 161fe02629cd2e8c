#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Calls of the system that a signal may interrupt.
package enum SystemCall {
    /// Makes the call again as long as it was only interrupted (EINTR), and returns its answer.
    package static func repeated(_ call: () -> Int32) -> Int32 {
        while true {
            let answer = call()
            if answer != -1 || errno != EINTR { return answer }
        }
    }
}
