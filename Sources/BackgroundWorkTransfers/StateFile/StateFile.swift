import BackgroundWorkFiles
import BackgroundWorkModel
import Synchronization

/// The file itself: read when it has changed, and replaced as a whole under a lock that processes share.
///
/// Everything here blocks on the disk; ``apply(_:)`` waits for other processes as well.
final class StateFile: Sendable {
    private struct Cache: Sendable {
        /// `nil`: there was no file.
        var stamp: FileStamp?
        var document: StateDocument
    }

    let path: String
    private let cache = Mutex<Cache?>(nil)
    private let written = Atomic(0)
    private let clock: any WorkClock
    private let report: @Sendable (String) -> Void

    init(path: String, clock: any WorkClock, report: @escaping @Sendable (String) -> Void) {
        self.path = path
        self.clock = clock
        self.report = report
    }

    /// How often the file was replaced through this object.
    var rewrites: Int { written.load(ordering: .relaxed) }

    /// The document as it is on disk now: one `stat`, and a read when the file is new.
    func current() throws -> StateDocument { try current(settingAside: false) }

    /// Whether the document read last, which may be outdated, has such an entry; `nil` if none was read.
    func lastKnown(contains name: [UInt8]) -> Bool? { cache.withLock { $0 }?.document.contains(name) }

    /// Whether the file is the one read last and has no such entry: one `stat`, no lock file and no read.
    func isKnownToLack(_ name: [UInt8]) -> Bool {
        guard let known = cache.withLock({ $0 }), known.stamp == FileStamp(path: path) else { return false }
        return !known.document.contains(name)
    }

    /// One locked read, change and write for all the changes, at most one to a name.
    ///
    /// When it returns the file with all of them survives a power cut; when it throws before the rename the file is as
    /// it was. Changes that change nothing cost no write.
    func apply(_ changes: some Collection<StateChange>) throws {
        let lock = try AdvisoryLock(path: path + ".lock", contention: .wait)
        defer { withExtendedLifetime(lock) {} }
        guard let document = try current(settingAside: true).applying(changes) else { return }
        try DurableFile.replace(path, with: document.bytes)
        written.add(1, ordering: .relaxed)
        let stamp = FileStamp(path: path)
        cache.withLock { $0 = stamp.map { Cache(stamp: $0, document: document) } }
    }

    /// - Parameter settingAside: whether a file that does not parse may be renamed, which needs the lock.
    private func current(settingAside: Bool) throws -> StateDocument {
        // Before the read: what is replaced in between is read again at the next check.
        let stamp = FileStamp(path: path)
        if let known = cache.withLock({ $0 }), known.stamp == stamp { return known.document }
        let document: StateDocument
        do {
            document =
                try stamp == nil ? StateDocument() : WholeFile.read(path).map(StateDocument.init) ?? StateDocument()
        } catch let error as FileError {
            throw error
        } catch {
            guard settingAside else {
                // Without the lock another process may be setting it aside just now; ask again with it.
                return try readUnderLock()
            }
            let aside = try DamagedFile.setAside(path, at: clock.now)
            report("\(path) could not be read (\(error)); it was kept as \(aside), and a new one was created")
            return StateDocument()
        }
        cache.withLock { $0 = Cache(stamp: stamp, document: document) }
        return document
    }

    private func readUnderLock() throws -> StateDocument {
        let lock = try AdvisoryLock(path: path + ".lock", contention: .wait)
        defer { withExtendedLifetime(lock) {} }
        return try current(settingAside: true)
    }
}
