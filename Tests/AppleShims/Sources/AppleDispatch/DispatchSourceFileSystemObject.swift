import CAppleDispatch
public import Dispatch
import Glibc
import Synchronization

/// doc: dispatch/dispatchsourcefilesystemobject
public protocol DispatchSourceFileSystemObject: ShimDispatchSource {
    /// doc: dispatch/dispatchsourcefilesystemobject/handle
    var handle: Int32 { get }
    /// doc: dispatch/dispatchsourcefilesystemobject/data
    var data: DispatchSource.FileSystemEvent { get }
    /// doc: dispatch/dispatchsourcefilesystemobject/mask
    var mask: DispatchSource.FileSystemEvent { get }
}

extension DispatchSource {
    /// doc: dispatch/dispatchsource/makefilesystemobjectsource(filedescriptor:eventmask:queue:)
    public class func makeFileSystemObjectSource(
        fileDescriptor: Int32, eventMask: FileSystemEvent, queue: DispatchQueue? = nil
    ) -> any DispatchSourceFileSystemObject {
        InotifySource(descriptor: fileDescriptor, mask: eventMask, queue: queue)
    }
}

/// kqueue(2)'s EVFILT_VNODE by inotify(7). A removed folder that is still open is not reported here, but by the source
/// of its parent folder. Where inotify refuses, the source reports `.revoke` once.
final class InotifySource: DispatchSourceFileSystemObject, ForwardingSource {
    let base: DescriptorSource
    let handle: Int32
    /// Dispatch's own type is not Sendable on Linux.
    private let rawMask: UInt
    private let events: Events

    var mask: DispatchSource.FileSystemEvent { DispatchSource.FileSystemEvent(rawValue: rawMask) }
    var data: DispatchSource.FileSystemEvent { events.last.intersection(mask) }
    var numbers: (handle: UInt, data: UInt, mask: UInt) { (UInt(handle), data.rawValue, rawMask) }

    init(descriptor: Int32, mask: DispatchSource.FileSystemEvent, queue: DispatchQueue?) {
        handle = descriptor
        let inotify = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        let kinds =
            IN_MODIFY | IN_ATTRIB | IN_MOVE_SELF | IN_DELETE_SELF | IN_CREATE | IN_DELETE | IN_MOVED_FROM
            | IN_MOVED_TO
        // The link leads to the open file, whatever its name is now.
        let watch = inotify_add_watch(inotify, "/proc/self/fd/\(descriptor)", UInt32(kinds))
        let isWatching = inotify >= 0 && watch >= 0
        if !isWatching, inotify >= 0 { close(inotify) }
        let watched = isWatching ? inotify : shim_readable_descriptor()
        let events = Events(watched: isWatching ? descriptor : nil)
        self.events = events
        let rawMask = mask.rawValue
        self.rawMask = rawMask
        base = DescriptorSource(descriptor: watched, queue: queue) {
            events.read(from: watched)
            return !events.last.isDisjoint(with: DispatchSource.FileSystemEvent(rawValue: rawMask))
        }
    }
}

/// What has happened since the last look.
private final class Events: Sendable {
    private struct State {
        var last: DispatchSource.FileSystemEvent = []
        var size: off_t = 0
        var links: nlink_t = 0
    }

    private let watched: Int32?
    private let state = Mutex(State())

    /// - Parameter watched: the open file; `nil` if it cannot be watched.
    init(watched: Int32?) {
        self.watched = watched
        var status = stat()
        guard let watched, fstat(watched, &status) == 0 else { return }
        let (size, links) = (status.st_size, status.st_nlink)
        state.withLock { ($0.size, $0.links) = (size, links) }
    }

    var last: DispatchSource.FileSystemEvent { state.withLock { $0.last } }

    func read(from descriptor: Int32) {
        var seen: UInt32 = 0
        withUnsafeTemporaryAllocation(byteCount: 16384, alignment: 8) { buffer in
            while true {
                let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                guard count > 0 else { break }
                var offset = 0
                while watched != nil, offset + MemoryLayout<inotify_event>.size <= count {
                    let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                    seen |= event.mask
                    offset += MemoryLayout<inotify_event>.size + Int(event.len)
                }
                if watched == nil { break }
            }
        }
        var status = stat()
        let isOpen = watched.map { fstat($0, &status) == 0 } ?? false
        let (size, links) = (status.st_size, status.st_nlink)
        state.withLock { state in
            state.last = watched == nil ? .revoke : []
            guard isOpen else { return }
            let has = { (kinds: Int32) in seen & UInt32(bitPattern: kinds) != 0 }
            if has(IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO) { state.last.insert(.write) }
            if has(IN_MODIFY), size > state.size { state.last.insert(.extend) }
            if has(IN_ATTRIB) { state.last.insert(.attrib) }
            if links != state.links { state.last.insert(.link) }
            if links == 0 || has(IN_DELETE_SELF) { state.last.insert(.delete) }
            if has(IN_MOVE_SELF) { state.last.insert(.rename) }
            if has(IN_UNMOUNT) { state.last.insert(.revoke) }
            (state.size, state.links) = (size, links)
        }
    }
}
