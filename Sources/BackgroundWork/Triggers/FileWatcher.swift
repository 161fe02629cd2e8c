#if !canImport(Darwin)
import BackgroundWorkFiles
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Watches a changing set of paths by inotify(7), and tells which of them has changed.
///
/// A path may be a file or a folder, be replaced by a rename, vanish and come again, or not be there yet: then the
/// nearest folder above it that exists is watched. What counts is content: writing, creation, removal, replacement;
/// for a folder also of its entries, not of what lies deeper. A symbolic link is watched itself, not where it leads.
actor FileWatcher {
    /// Where a path's changes show: entries named `name` of the folder, or all of them.
    private struct Anchor: Hashable {
        var folder: String
        var name: String?
        /// Whether that entry is the path itself, and not a folder above it.
        var isPath: Bool

        func concerns(_ event: InotifyEvent) -> Bool { event.isFolderGone || name == nil || event.name == name }
    }

    private static let mask = UInt32(
        IN_MODIFY | IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF
            | IN_MOVE_SELF | IN_ONLYDIR)

    private nonisolated let executor = DispatchQueueExecutor(label: "BackgroundWork.FileWatcher")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// The inotify instance; a user has only some of them, so there is none while nothing is watched.
    private var descriptor: Int32 = -1
    private nonisolated let changed: @Sendable (String) -> Void
    private nonisolated let problem: @Sendable (String) -> Void
    private var reading: DescriptorWatch?
    private var anchors: [String: [Anchor]] = [:]
    private var folders: [Int32: String] = [:]
    private var numbers: [String: Int32] = [:]

    /// - Parameters:
    ///   - changed: called on the watcher's queue, once for each path that a burst of changes touches.
    ///   - problem: told when a path cannot be watched, with what to do.
    init(changed: @escaping @Sendable (String) -> Void, problem: @escaping @Sendable (String) -> Void) {
        self.changed = changed
        self.problem = problem
    }

    /// Replaces the watched set. No change after its return is missed.
    func watch(_ paths: Set<String>) {
        if paths.isEmpty { return end() }
        if reading == nil, !startReading() { return }
        for path in anchors.keys where !paths.contains(path) { anchors[path] = nil }
        for path in paths where anchors[path] == nil { arm(path) }
        dropUnused()
    }

    func stop() { watch([]) }

    private func end() {
        reading?.cancel()
        reading = nil
        anchors = [:]
        folders = [:]
        numbers = [:]
    }

    private func startReading() -> Bool {
        let opened = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        guard opened >= 0 else {
            let advice = errno == EMFILE ? "; raise fs.inotify.max_user_instances with sysctl" : ""
            problem("Files cannot be watched. \(FileError(action: "open", path: "inotify", code: errno))\(advice)")
            return false
        }
        descriptor = opened
        let queue = executor.queue
        reading = DescriptorWatch(descriptor: opened, label: "BackgroundWork.FileWatcher.inotify") { [weak self] in
            var events: [InotifyEvent] = []
            while let more = InotifyEvent.read(from: opened) { events += more }
            guard let watcher = self else { return }
            let found = events
            // Not by a task: these may overtake each other.
            queue.async { watcher.assumeIsolated { $0.take(found) } }
        }
        return true
    }

    private func take(_ events: [InotifyEvent]) {
        var touched: Set<String> = []
        for event in events {
            if event.isOverflow {
                // What was lost may have been anything.
                for path in Array(anchors.keys) { arm(path) }
                touched.formUnion(anchors.keys)
                continue
            }
            guard let folder = folders[event.watch] else { continue }
            if event.isFolderGone { forget(event.watch) }
            for (path, places) in anchors {
                guard let anchor = places.first(where: { $0.folder == folder && $0.concerns(event) }) else { continue }
                if event.movesEntries || event.isFolderGone { arm(path) }
                if anchor.isPath || exists(path) { touched.insert(path) }
            }
        }
        dropUnused()
        for path in touched where anchors[path] != nil { changed(path) }
    }

    /// Watches the folders in which this path's changes show.
    private func arm(_ path: String) {
        while true {
            let wanted = anchorsNow(of: path)
            anchors[path] = wanted
            guard wanted.allSatisfy({ add($0.folder, for: path) }) else { return }
            // A folder may have come or gone between the look and the watch.
            if anchorsNow(of: path) == wanted { return }
        }
    }

    private func anchorsNow(of path: String) -> [Anchor] {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        var found: [Anchor] = []
        if isFolder(path) { found.append(Anchor(folder: path, name: nil, isPath: true)) }
        var entry = path
        while entry != "/" {
            let folder = DurableFile.folder(of: entry)
            if isFolder(folder) {
                let name = String(entry.dropFirst(folder == "/" ? 1 : folder.count + 1))
                found.append(Anchor(folder: folder, name: name, isPath: entry == path))
                return found
            }
            entry = folder
        }
        return found
    }

    private func add(_ folder: String, for path: String) -> Bool {
        if numbers[folder] != nil { return true }
        let number = inotify_add_watch(descriptor, folder, Self.mask)
        guard number >= 0 else {
            // It went away: the caller looks again.
            if errno == ENOENT || errno == ENOTDIR { return true }
            let advice = errno == ENOSPC ? "; raise fs.inotify.max_user_watches with sysctl" : ""
            problem("\(path) cannot be watched. \(FileError(action: "watch", path: folder, code: errno))\(advice)")
            return false
        }
        folders[number] = folder
        numbers[folder] = number
        return true
    }

    private func forget(_ number: Int32) {
        if let folder = folders.removeValue(forKey: number) { numbers[folder] = nil }
    }

    private func dropUnused() {
        let used = Set(anchors.values.joined().map(\.folder))
        for (folder, number) in numbers where !used.contains(folder) {
            inotify_rm_watch(descriptor, number)
            forget(number)
        }
    }

    private func exists(_ path: String) -> Bool { FileIdentity(path: path) != nil }

    private func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
#endif
