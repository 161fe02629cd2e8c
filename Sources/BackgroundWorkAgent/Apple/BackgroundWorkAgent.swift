/// The daemon that continues transfers while their host is not running. Linux only: other platforms have a system
/// daemon.
public enum BackgroundWorkAgent {
    /// Does nothing on this platform, so that a program can call it on every platform.
    public static func runIfRequested() {}
}
