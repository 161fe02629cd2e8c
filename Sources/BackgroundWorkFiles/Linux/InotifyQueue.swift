import BackgroundWorkSystem

/// A descriptor of inotify(7): its watches and their events.
struct InotifyQueue {
    let descriptor: Int32

    init() throws(FileWatchProblem) {
        descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        guard descriptor >= 0 else { throw .noWatcher(reason: String(cString: strerror(errno))) }
    }

    /// Watches the file at the path. Links are not followed: the caller has resolved them.
    ///
    /// A file that is watched already keeps its number, and its previous mask is kept as well.
    /// - Returns: the number of the watch; if there is none, the error number.
    func add(_ path: [UInt8], for mask: UInt32) -> Result<Int32, SystemErrorNumber> {
        let flags = UInt32(IN_DONT_FOLLOW) | UInt32(IN_MASK_ADD)
        let watch = inotify_add_watch(descriptor, path.map(CChar.init(bitPattern:)) + [0], mask | flags)
        return watch >= 0 ? .success(watch) : .failure(SystemErrorNumber(code: errno))
    }

    func remove(_ watch: Int32) { _ = inotify_rm_watch(descriptor, watch) }

    /// The pending events, at most as many as one read returns; may be empty.
    func read() -> [InotifyEvent] {
        var events: [InotifyEvent] = []
        withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: MemoryLayout<inotify_event>.alignment) { buffer in
            let count = Self.fill(buffer, from: descriptor)
            var offset = 0
            let headerSize = MemoryLayout<inotify_event>.size
            while offset + headerSize <= count {
                let header = buffer.load(fromByteOffset: offset, as: inotify_event.self)
                let end = offset + headerSize + Int(header.len)
                // The name is padded with zeros.
                let name = buffer[(offset + headerSize)..<end].prefix { $0 != 0 }
                events.append(InotifyEvent(watch: header.wd, mask: header.mask, name: Array(name)))
                offset = end
            }
        }
        return events
    }

    private static func fill(_ buffer: UnsafeMutableRawBufferPointer, from descriptor: Int32) -> Int {
        BackgroundWorkSystem.read(descriptor, buffer.baseAddress, buffer.count)
    }
}

/// An event of inotify(7).
struct InotifyEvent {
    let watch: Int32
    let mask: UInt32
    /// The name of the entry that it is about; empty if it is about the watched file or folder itself.
    let name: [UInt8]
}

/// The errno of a failed system call.
struct SystemErrorNumber: Error, Hashable {
    let code: Int32
}
