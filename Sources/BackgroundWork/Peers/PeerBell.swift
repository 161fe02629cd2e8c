import BackgroundWorkFiles
import Dispatch
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// How schedulers on one directory wake each other: each watches its own lock file, and the others write a byte to it.
final class PeerBell: Sendable {
    #if canImport(Darwin)
    private let source: Mutex<any DispatchSourceFileSystemObject>
    #else
    private let watch: DescriptorWatch
    #endif

    /// - Parameters:
    ///   - path: this scheduler's lock file, which exists.
    ///   - rung: called on a private queue when another scheduler has committed something; several rings may come as one.
    init(path: String, rung: @escaping @Sendable () -> Void) throws {
        #if canImport(Darwin)
        let descriptor = open(path, O_EVTONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError(action: "watch", path: path, code: errno) }
        let source = DispatchSource.makeFileSystemObjectSource(
            fileDescriptor: descriptor, eventMask: .write, queue: DispatchQueue(label: "BackgroundWork.PeerBell"))
        source.setEventHandler(handler: rung)
        source.setCancelHandler { close(descriptor) }
        source.resume()
        self.source = Mutex(source)
        #else
        let descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        guard descriptor >= 0 else { throw FileError(action: "watch", path: path, code: errno) }
        guard inotify_add_watch(descriptor, path, UInt32(IN_MODIFY)) >= 0 else {
            let code = errno
            close(descriptor)
            throw FileError(action: "watch", path: path, code: code)
        }
        watch = DescriptorWatch(descriptor: descriptor, label: "BackgroundWork.PeerBell") {
            var events = [UInt8](repeating: 0, count: 4096)
            while read(descriptor, &events, events.count) > 0 {}
            rung()
        }
        #endif
    }

    func stop() {
        #if canImport(Darwin)
        source.withLock { $0.cancel() }
        #else
        watch.cancel()
        #endif
    }

    /// Wakes the scheduler whose lock file that is. One that has gone needs no waking.
    static func ring(_ path: String) {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        var byte: UInt8 = 1
        _ = pwrite(descriptor, &byte, 1, 0)
        close(descriptor)
    }
}
