#if canImport(Darwin)
import BackgroundWorkFiles
import Darwin
import Dispatch

/// Watches a changing set of paths by file system sources, and tells which of them has changed.
///
/// A path that is not there is looked at through the folder that should hold it. What counts is as on Linux.
actor FileWatcher {
    private nonisolated let executor = DispatchQueueExecutor(label: "BackgroundWork.FileWatcher")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private nonisolated let changed: @Sendable (String) -> Void
    private nonisolated let problem: @Sendable (String) -> Void
    private var sources: [String: [any DispatchSourceFileSystemObject]] = [:]
    private var stamps: [String: FileStamp?] = [:]

    init(changed: @escaping @Sendable (String) -> Void, problem: @escaping @Sendable (String) -> Void) {
        self.changed = changed
        self.problem = problem
    }

    func watch(_ paths: Set<String>) {
        for path in sources.keys where !paths.contains(path) { disarm(path) }
        for path in paths where sources[path] == nil { arm(path) }
    }

    func stop() { watch([]) }

    private func arm(_ path: String) {
        stamps[path] = FileStamp(path: path)
        // The folder tells of replacement and of coming and going, the file itself of writing.
        sources[path] = [DurableFile.folder(of: path), path].compactMap { source($0, for: path) }
        if sources[path]?.isEmpty ?? true {
            problem("\(path) cannot be watched: neither it nor its folder can be opened")
        }
    }

    private func disarm(_ path: String) {
        for source in sources[path] ?? [] { source.cancel() }
        sources[path] = nil
        stamps[path] = nil
    }

    private func source(_ watched: String, for path: String) -> (any DispatchSourceFileSystemObject)? {
        let descriptor = open(watched, O_EVTONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let source = DispatchSource.makeFileSystemObjectSource(
            fileDescriptor: descriptor, eventMask: [.write, .extend, .delete, .rename], queue: executor.queue)
        source.setEventHandler { [weak self] in Task { await self?.look(at: path) } }
        source.setCancelHandler { close(descriptor) }
        source.resume()
        return source
    }

    private func look(at path: String) {
        guard let before = stamps[path] else { return }
        let now = FileStamp(path: path)
        guard now != before else { return }
        disarm(path)
        arm(path)
        changed(path)
    }
}
#endif
