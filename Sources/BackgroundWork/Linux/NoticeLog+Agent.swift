import BackgroundWorkSystem

extension NoticeLog {
    /// Also written to standard error: without its agent a program waits for transfers that are never started.
    @Sendable func agentIsMissing(_ error: any Error) {
        add(.daemonUnreachable, "\(error)")
        var line = "BackgroundWork: \(error)\n"
        line.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
