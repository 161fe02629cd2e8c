import BackgroundWorkFiles
import CBackgroundWorkLinux

/// Reports the end of another process, once and without polling.
final class ProcessEnd: Sendable {
    private let watch: DescriptorWatch

    /// `nil` when the process no longer exists, or the system cannot watch it.
    init?(of process: Int32, ended: @escaping @Sendable () -> Void) {
        let descriptor = bgw_process_descriptor(process)
        guard descriptor >= 0 else { return nil }
        watch = DescriptorWatch(
            descriptor: descriptor, label: "BackgroundWork.ProcessEnd", once: true, ready: ended)
    }
}
