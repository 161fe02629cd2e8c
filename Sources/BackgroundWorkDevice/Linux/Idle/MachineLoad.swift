#if os(Linux)
import Glibc

/// How busy the machine is.
struct MachineLoad: Equatable, Sendable {
    /// The load average of one minute: how many threads run, wait for a processor or for a disk.
    var average: Double
    /// How much of it is this process's own.
    var own: Double
    /// The processors that are online.
    var cores: Int

    /// Others leave seven tenths of each processor alone. The average of a minute is what the kernel keeps anyway, needs
    /// no second look, and passes over the odd cron job. This process's own load is taken off: otherwise work that
    /// waits for an idle device would end the idleness by running, and be stopped again and again.
    var isIdle: Bool { average - own < 0.3 * Double(cores) }
}
#endif
