import BackgroundWorkSystem

/// Waits for the end of writing.
enum WriteLease {
    /// Returns when no process has the file open for writing.
    ///
    /// A child that another test starts at this moment has a copy of every descriptor until its own program begins. So the
    /// last close, which is an event on Linux, may come later than the one of the test. While a file is open for writing
    /// nobody gets a read lease on it (fcntl(2), F_SETLEASE).
    static func waitUntilWritten(_ path: String) {
        #if !BACKGROUNDWORK_HAS_DARWIN
        // F_SETLEASE, which Swift does not import.
        let setLease: Int32 = 1024
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        while fcntl(descriptor, setLease, F_RDLCK) != 0, errno == EAGAIN { usleep(100) }
        _ = fcntl(descriptor, setLease, F_UNLCK)
        #endif
    }
}
