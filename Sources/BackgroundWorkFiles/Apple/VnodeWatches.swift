import BackgroundWorkSystem
import Dispatch

/// The system's watches of a ``FileWatcher``.
typealias SystemWatches = VnodeWatches

/// The watched paths on Apple's systems: a source for each path, or for the nearest folder above it that exists, and
/// one for its parent folder.
///
/// The sources only signal that a check is needed; changes are found by comparing the files at the paths. Two changes
/// are not detected because no open folder reports them: an entry of a watched folder that is written in place, and a
/// changed target of a link in the middle of a path. A change of a file's times alone is reported with the next check,
/// as nothing tells it from a write that leaves the length as it was.
struct VnodeWatches {
    private var queue: DispatchQueue?
    private var wake: (@Sendable () -> Void)?
    private var isStopped = false
    private var sources: [String: any DispatchSourceFileSystemObject] = [:]
    private var observations: [String: VnodeObservation] = [:]
    private var reported: Set<FileWatchProblem> = []

    /// Cannot fail; Linux's watches can.
    init() throws(FileWatchProblem) {}

    mutating func start(on queue: DispatchQueue, wake: @escaping @Sendable () -> Void) {
        self.queue = queue
        self.wake = wake
    }

    mutating func stop() {
        isStopped = true
        for source in sources.values { source.cancel() }
        sources = [:]
    }

    mutating func replace(with paths: Set<String>) -> WatchReport {
        guard !isStopped else { return WatchReport() }
        for path in observations.keys where !paths.contains(path) { observations[path] = nil }
        let new = paths.subtracting(observations.keys)
        for path in new { observations[path] = VnodeObservation(path: path) }
        reported = []
        var report = readEvents()
        report.changed.subtract(new)
        return report
    }

    mutating func readEvents() -> WatchReport {
        guard !isStopped else { return WatchReport() }
        var report = WatchReport()
        // The sources are active before the paths are checked: a change in between wakes again.
        let problems = renewSources()
        report.problems = problems.filter { !reported.contains($0) }
        reported = Set(problems)
        for (path, previous) in observations {
            let observation = VnodeObservation(path: path)
            if observation != previous { report.changed.insert(path) }
            observations[path] = observation
        }
        return report
    }

    /// Opens all sources again, because a source stays with the file on which it was opened, whatever its name is now.
    private mutating func renewSources() -> [FileWatchProblem] {
        var renewed: [String: any DispatchSourceFileSystemObject] = [:]
        var problems: [FileWatchProblem] = []
        for path in observations.keys {
            var place = path
            var code = open(place, into: &renewed)
            // A link that leads to itself is like a missing file: its folder reports the change that mends it.
            while code == ENOENT || code == ENOTDIR || code == ELOOP, place != DurableFile.folder(of: place) {
                place = DurableFile.folder(of: place)
                code = open(place, into: &renewed)
            }
            // A replacement is reported by the folder.
            if code == 0 { code = open(DurableFile.folder(of: place), into: &renewed) }
            // Without read permission for the folder, changes of the file itself are still reported.
            if code != 0, code != EACCES || place == path && renewed[path] == nil {
                problems.append(.refused(FileError(action: "watch", path: path, code: code)))
            }
        }
        for source in sources.values { source.cancel() }
        sources = renewed
        return problems
    }

    /// Returns 0, or the error number.
    private func open(_ path: String, into sources: inout [String: any DispatchSourceFileSystemObject]) -> Int32 {
        if sources[path] != nil { return 0 }
        let descriptor = BackgroundWorkSystem.open(path, O_EVTONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return errno }
        let source = DispatchSource.makeFileSystemObjectSource(
            fileDescriptor: descriptor, eventMask: [.write, .extend, .delete, .rename, .revoke], queue: queue)
        source.setEventHandler { [wake] in wake?() }
        source.setCancelHandler { _ = close(descriptor) }
        source.resume()
        sources[path] = source
        return 0
    }
}

/// The state at a path: the file or link there, and the file to which a link leads.
struct VnodeObservation: Hashable {
    private let link: FileIdentity?
    private let file: FileStamp?

    init(path: String) {
        link = FileIdentity(path: path)
        let resolved = realpath(path, nil)
        defer { free(resolved) }
        file = resolved.flatMap { FileStamp(path: String(cString: $0)) }
    }
}
