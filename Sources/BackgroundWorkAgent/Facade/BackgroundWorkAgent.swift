import BackgroundWorkTransfers

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The daemon that transfers on Linux while its host is away.
///
/// `bgwork agent` runs it. A program may also serve as its own agent; it then calls ``runIfRequested()`` before
/// anything else. On Apple's platforms, where the system has a daemon, it does nothing.
public enum BackgroundWorkAgent {
    /// Becomes the agent, and does not return, if this process was started with the agent's arguments; otherwise notes
    /// that this program may be started so. Blocks the calling thread while it runs, which must be the main one.
    public static func runIfRequested() {
        #if os(Linux)
        AgentHosting.declare()
        do {
            guard let options = try AgentOptions(Array(CommandLine.arguments.dropFirst())) else { return }
            exit(AgentProcess(options: options).run())
        } catch {
            AgentLog.write("\(error)")
            exit(EX_USAGE)
        }
        #endif
    }
}
