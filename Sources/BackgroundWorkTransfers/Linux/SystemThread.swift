#if os(Linux)
#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// A detached thread of the system's, for calls that block for as long as they like.
enum SystemThread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs `body` on a new thread. If the system has no thread to give, the end of `body` never comes; that is the
    /// same as a thread that is never scheduled, and callers do not wait on it.
    static func start(_ body: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(Body(body))
        let code = pthread_create(
            &thread, nil,
            { context in
                if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            }, context.toOpaque())
        if code == 0 {
            pthread_detach(thread)
        } else {
            context.release()
        }
    }
}
#endif
