import BackgroundWorkFiles
import BackgroundWorkFoundation
import BackgroundWorkModel
import BackgroundWorkSystem
import BackgroundWorkTransfers
import Dispatch
import Synchronization

/// The partial files that downloads in process have beside their targets, and what archive workers have not finished,
/// recorded in a folder of the scheduler's directory: one that its work does not need any more is removed, also when no
/// run of the work could do that.
///
/// A partial file is recorded before it is created, so none is ever forgotten.
package final class PartialFiles: Sendable {
    /// One of them.
    package struct Entry: Sendable, Hashable, Codable {
        package var key: TransferKey
        /// Of the partial file.
        package var path: String
        /// Of an archive worker's temporaries, which may be folders; `nil` for a download.
        var temporaries: [String]?
        /// The folders that the work's policy allows; `nil` for all but the system's.
        var allowedDirectories: [String]?
    }

    private static let folderName = "partials"

    /// The scheduler's.
    let directory: String
    private let store: String
    let mover: FileMover
    private let queue = DispatchQueue(label: "BackgroundWork.PartialFiles")
    /// By their work items.
    private let entries = Mutex<[String: [Entry]]>([:])

    /// - Parameter store: the identity of the work store, since another one may save to the same folders.
    package init(directory: String, store: String) {
        self.directory = directory
        self.store = store
        mover = FileMover(ownFolder: directory)
    }

    private var folder: String { "\(directory)/\(Self.folderName)" }

    /// `.<name>.bgwork-<key>` beside the target: the same for all attempts of a work item.
    func path(for target: String, of key: TransferKey) -> String {
        FileMover.temporaryPath(for: target, of: TransferReference(store: store, key: key))
    }

    private func recordName(of key: TransferKey) -> String { TransferReference(store: store, key: key).digest }

    /// What distinguishes the URL of a download from others without telling it, and this boot from others.
    func fingerprints(of url: String) async throws -> (source: String, boot: String) {
        try await onQueue { (try FileDigest.sha256(of: Array(url.utf8)), try BootIdentifier.read()) }
    }

    // MARK: For runs

    /// Records the partial file of a work item. One that it had elsewhere is removed.
    func add(_ path: String, of key: TransferKey, allowedDirectories: [String]?) async throws {
        try await add(Entry(key: key, path: path, allowedDirectories: allowedDirectories))
    }

    /// Records the temporaries of a work item's archive worker. Their names depend on the item's id alone, so what an
    /// item of the same id had before is the new one's.
    func add(temporaries: [String], of key: TransferKey, allowedDirectories: [String]?) async throws {
        try await add(
            Entry(
                key: key, path: temporaries.first ?? "", temporaries: temporaries,
                allowedDirectories: allowedDirectories))
        for old in entries.withLock({ $0[key.workID] ?? [] }) where old.key != key && old.temporaries == temporaries {
            await forget(old.key)
        }
    }

    private func add(_ entry: Entry) async throws {
        let key = entry.key
        let earlier = entries.withLock { entries in
            let earlier = entries[key.workID]?.first { $0.key == key }
            entries[key.workID, default: []].removeAll { $0.key == key }
            entries[key.workID, default: []].append(entry)
            return earlier
        }
        if earlier == entry { return }
        let name = recordName(of: key)
        try await onQueue {
            if let earlier, earlier.path != entry.path { _ = Self.removeFiles(of: earlier) }
            try Folder.create(self.folder, mode: 0o700)
            try Self.write(entry, to: "\(self.folder)/\(name)")
        }
    }

    /// Forgets the partial file of a work item, which no longer exists.
    func forget(_ key: TransferKey) async {
        let isKnown = entries.withLock { entries in
            guard let index = entries[key.workID]?.firstIndex(where: { $0.key == key }) else { return false }
            entries[key.workID]?.remove(at: index)
            if entries[key.workID]?.isEmpty ?? false { entries[key.workID] = nil }
            return true
        }
        guard isKnown else { return }
        let name = recordName(of: key)
        try? await onQueue { DurableFile.remove("\(self.folder)/\(name)") }
    }

    // MARK: For the scheduler

    /// Of these ids, those of work that may have a partial file; `nil` stands for all ids.
    package func known(of ids: [String]?) -> [String] {
        entries.withLock { entries in
            if entries.isEmpty { return [] }
            return ids.map { $0.filter { entries[$0] != nil } } ?? Array(entries.keys)
        }
    }

    /// Reads what earlier processes have recorded.
    package func load() async throws {
        for entry in try await onQueue({ try self.recorded() }) {
            entries.withLock { entries in
                guard entries[entry.key.workID]?.contains(where: { $0.key == entry.key }) != true else { return }
                entries[entry.key.workID, default: []].append(entry)
            }
        }
    }

    /// Removes those of work that has ended.
    ///
    /// - Parameter isSettled: whether a work item is not there, has ended, or has begun anew.
    package func removeSettled(
        of ids: [String], _ isSettled: @Sendable (TransferKey) async throws -> Bool
    ) async throws {
        for entry in entries.withLock({ entries in ids.flatMap { entries[$0] ?? [] } })
        where try await isSettled(entry.key) {
            // A large folder takes a while, in which others can begin.
            let isGone =
                entry.temporaries == nil
                ? try await onQueue { Self.removeFiles(of: entry) }
                : try await ArchiveThread.run { _ in Self.removeFiles(of: entry) }
            if isGone { await forget(entry.key) }
        }
    }

    private func recorded() throws -> [Entry] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        var found: [Entry] = []
        for name in names {
            let path = "\(folder)/\(name)"
            guard let bytes = try WholeFile.read(path) else { continue }
            // Its writer was killed, and had not created the partial file.
            guard let entry = try? JSONCoding.value(Entry.self, from: String(decoding: bytes, as: UTF8.self)) else {
                DurableFile.remove(path)
                continue
            }
            // Of another store, whose work is unknown.
            if name == recordName(of: entry.key) { found.append(entry) }
        }
        return found
    }

    /// Not synced: after a power cut a file may stay, but none is lost.
    private static func write(_ entry: Entry, to path: String) throws {
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC
        let file = SystemCall.repeated { open(path, flags, 0o600) }
        guard file >= 0 else { throw FileError(action: "create", path: path, code: errno) }
        defer { close(file) }
        try Array(JSONCoding.text(of: entry).utf8).withUnsafeBytes {
            try DurableFile.write($0, to: file, path: path)
        }
    }

    /// Whether nothing of it is in use; what could not be removed for another reason stays.
    private static func removeFiles(of entry: Entry) -> Bool {
        let rules = FileRules(allowedDirectories: entry.allowedDirectories)
        func folder(of path: String) -> TargetFolder? {
            try? rules.openFolder(DurableFile.folder(of: path), creating: false)
        }
        guard let temporaries = entry.temporaries else {
            folder(of: entry.path)?.remove(DurableFile.name(of: entry.path))
            return true
        }
        var isInUse = false
        for path in temporaries {
            do {
                try folder(of: path).map { try WorkTemporary.removeAny(DurableFile.name(of: path), in: $0) }
            } catch is WorkInProgressError {
                isInUse = true
            } catch {
                // As with a download, nobody is left to be told.
            }
        }
        return !isInUse
    }

    private func onQueue<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result(catching: body)) }
        }
    }
}
