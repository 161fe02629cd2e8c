import BackgroundWorkSystem
import Dispatch

/// The system's watches of a ``FileWatcher``.
typealias SystemWatches = InotifyWatches

/// The watched paths on Linux: one inotify descriptor for all of them; paths that share a folder share its watch.
struct InotifyWatches {
    private struct Name: Hashable {
        let watch: Int32
        let name: [UInt8]
    }

    private let queue: InotifyQueue
    private var source: (any DispatchSourceRead)?
    private var isStopped = false
    private var routes: [String: InotifyRoute] = [:]
    /// The stamp of the file at the end of each path at the last check, to detect whether a change on the route has
    /// changed it.
    private var stamps: [String: FileStamp] = [:]

    // Derived from the routes: the paths affected by an event.
    private var pathsByName: [Name: [(path: String, isLast: Bool)]] = [:]
    private var pathsByDestination: [Int32: Set<String>] = [:]
    private var pathsByWatch: [Int32: Set<String>] = [:]

    init() throws(FileWatchProblem) { queue = try InotifyQueue() }

    mutating func start(on dispatchQueue: DispatchQueue, wake: @escaping @Sendable () -> Void) {
        let descriptor = queue.descriptor
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: dispatchQueue)
        source.setEventHandler(handler: wake)
        // Another file must not get this number while the source uses it.
        source.setCancelHandler { _ = close(descriptor) }
        source.resume()
        self.source = source
    }

    mutating func stop() {
        isStopped = true
        source?.cancel()
        source = nil
    }

    mutating func replace(with paths: Set<String>) -> WatchReport {
        guard !isStopped else { return WatchReport() }
        for path in routes.keys where !paths.contains(path) {
            routes[path] = nil
            stamps[path] = nil
        }
        var report = WatchReport()
        // Unchanged paths are resolved again as well: watches may have become available.
        for path in paths {
            let isNew = routes[path] == nil
            if walk(to: path, reporting: &report.problems), !isNew { report.changed.insert(path) }
        }
        settle()
        return report
    }

    mutating func readEvents() -> WatchReport {
        guard !isStopped else { return WatchReport() }
        var report = WatchReport()
        var moved: Set<String> = []
        for event in queue.read() { sort(event, changed: &report.changed, moved: &moved) }
        for path in moved where walk(to: path, reporting: &report.problems) { report.changed.insert(path) }
        for path in report.changed.subtracting(moved) { stamps[path] = FileStamp(path: path) }
        if !moved.isEmpty { settle() }
        return report
    }

    /// Determines which paths have changed, and which may have another target now.
    private func sort(_ event: InotifyEvent, changed: inout Set<String>, moved: inout Set<String>) {
        if event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
            changed.formUnion(routes.keys)
            moved.formUnion(routes.keys)
            return
        }
        let itself = UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF) | UInt32(IN_IGNORED) | UInt32(IN_UNMOUNT)
        if event.mask & itself != 0 {
            moved.formUnion(pathsByWatch[event.watch] ?? [])
            return
        }
        changed.formUnion(pathsByDestination[event.watch] ?? [])
        let content = UInt32(IN_MODIFY) | UInt32(IN_CLOSE_WRITE)
        // A folder can be watched for the names of one path and for the entries of another; content only matters for
        // the latter.
        guard event.mask & content == 0 else { return }
        for concerned in pathsByName[Name(watch: event.watch, name: event.name)] ?? [] {
            moved.insert(concerned.path)
            if concerned.isLast { changed.insert(concerned.path) }
        }
    }

    /// Returns whether there is another file than before.
    private mutating func walk(to path: String, reporting problems: inout [FileWatchProblem]) -> Bool {
        let route = InotifyRouteFinder(queue: queue, path: path).route()
        let previous = routes[path]
        if let problem = route.problem, problem != previous?.problem { problems.append(problem) }
        routes[path] = route
        let stamp = FileStamp(path: path)
        defer { stamps[path] = stamp }
        // The number of a watch identifies the file, even if two files were written in the same clock tick.
        return stamp != stamps[path] || route.destination != previous?.destination
    }

    /// Removes the watches that no route needs any longer, and records the paths affected by the others.
    private mutating func settle() {
        let previous = pathsByWatch.keys
        pathsByName = [:]
        pathsByDestination = [:]
        pathsByWatch = [:]
        for (path, route) in routes {
            for turn in route.turns {
                pathsByName[Name(watch: turn.watch, name: turn.name), default: []].append((path, turn.isLast))
            }
            if let destination = route.destination { pathsByDestination[destination, default: []].insert(path) }
            for watch in route.watches { pathsByWatch[watch, default: []].insert(path) }
        }
        for watch in previous where pathsByWatch[watch] == nil { queue.remove(watch) }
    }
}
