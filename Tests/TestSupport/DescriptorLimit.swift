import BackgroundWorkSystem

/// How many descriptors this process may have.
package enum DescriptorLimit {
    /// Raises it as far as the process may by itself, once.
    ///
    /// All tests that run at a time share one process, with their databases, servers and watches: about 2,000
    /// descriptors, and many systems allow 1,024 at first.
    package static func raise() { _ = raised }

    private static let raised: Bool = {
        var limit = rlimit()
        #if BACKGROUNDWORK_HAS_DARWIN
        let files = RLIMIT_NOFILE
        guard getrlimit(files, &limit) == 0 else { return false }
        // More is refused, even where there is no limit (setrlimit(2)).
        limit.rlim_cur = min(limit.rlim_max, rlim_t(OPEN_MAX))
        #else
        let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(files, &limit) == 0 else { return false }
        limit.rlim_cur = limit.rlim_max
        #endif
        return setrlimit(files, &limit) == 0
    }()
}
