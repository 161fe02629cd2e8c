import BackgroundWorkFiles
import Dispatch
import Synchronization

#if canImport(CBackgroundWorkLinux)
import CBackgroundWorkLinux
#endif
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Tells when another process has ended, once, without asking again and again.
final class ProcessEnd: Sendable {
    #if canImport(CBackgroundWorkLinux)
    private let watch: DescriptorWatch
    #else
    private let source: Mutex<any DispatchSourceProcess>
    #endif

    /// `nil` when there is no such process any more, or the system cannot tell.
    init?(of process: Int32, ended: @escaping @Sendable () -> Void) {
        #if canImport(CBackgroundWorkLinux)
        let descriptor = bgw_process_descriptor(process)
        guard descriptor >= 0 else { return nil }
        watch = DescriptorWatch(
            descriptor: descriptor, label: "BackgroundWork.ProcessEnd", once: true, ready: ended)
        #else
        guard kill(process, 0) == 0 else { return nil }
        let source = DispatchSource.makeProcessSource(
            identifier: process, eventMask: .exit, queue: DispatchQueue(label: "BackgroundWork.ProcessEnd"))
        source.setEventHandler(handler: ended)
        source.resume()
        self.source = Mutex(source)
        #endif
    }

    deinit {
        #if !canImport(CBackgroundWorkLinux)
        source.withLock { $0.cancel() }
        #endif
    }
}
