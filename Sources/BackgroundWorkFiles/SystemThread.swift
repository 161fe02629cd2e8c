import BackgroundWorkSystem

/// System threads for calls that may block without a limit, outside of Swift's cooperative pool.
package enum SystemThread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs `body` on a new, detached thread; false when the system could not create one.
    ///
    /// - Parameter stackBytes: the size of its stack, if not the system's default, for a large number of threads.
    @discardableResult
    package static func start(stackBytes: Int? = nil, _ body: @escaping @Sendable () -> Void) -> Bool {
        #if BACKGROUNDWORK_HAS_DARWIN
        var thread: pthread_t?
        #else
        var thread = pthread_t()
        #endif
        let context = Unmanaged.passRetained(Body(body))
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        if let stackBytes { pthread_attr_setstacksize(&attributes, stackBytes) }
        let code = pthread_create(&thread, &attributes, startRoutine, context.toOpaque())
        guard code == 0 else {
            context.release()
            return false
        }
        #if BACKGROUNDWORK_HAS_DARWIN
        if let thread { pthread_detach(thread) }
        #else
        pthread_detach(thread)
        #endif
        return true
    }

    #if BACKGROUNDWORK_HAS_DARWIN
    private static let startRoutine: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = { context in
        Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
        return nil
    }
    #else
    private static let startRoutine: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
        context in
        if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
        return nil
    }
    #endif
}
