import BackgroundWork
import Foundation
import TestSupport
import Testing

/// Who may read and change what a scheduler keeps.
struct DirectoryRightsTests {
    private let folder: TemporaryFolder
    private let directory: String

    init() throws {
        folder = try TemporaryFolder()
        directory = folder.path + "/scheduler"
    }

    private func scheduler() throws -> WorkScheduler {
        try WorkScheduler(
            configuration: .init(directory: URL(filePath: directory)), workers: WorkerRegistry())
    }

    private var files: [String] {
        (FileManager.default.enumerator(atPath: directory)?.allObjects as? [String] ?? []).map { directory + "/" + $0 }
    }

    @Test("no other user can read the files in a directory that others may list", arguments: [0o755, 0o711, 0o700])
    func secret(mode: Int) async throws {
        FileRights.makeFolder(directory, rights: mode)
        let scheduler = try scheduler()
        try await scheduler.start()
        try await scheduler.enqueue(
            TaskRequest(workerClassName: "W", inputJSON: #"{"token":"secret"}"#, delay: .seconds(3600)), id: "w")
        #expect(files.contains { $0.hasSuffix("work.sqlite-wal") })
        for file in files { #expect(FileRights.of(file) & 0o077 == 0, "\(file)") }
        await scheduler.shutdown()
    }

    @Test("a database that others could read is theirs no longer once it is opened")
    func narrowed() async throws {
        func make() async throws {
            let scheduler = try scheduler()
            try await scheduler.enqueue(TaskRequest(workerClassName: "W"), id: "w")
            await scheduler.shutdown()
        }
        try await make()
        let parts = ["", "-wal", "-shm"].map { directory + "/work.sqlite" + $0 }
        for part in parts { FileRights.set(part, to: 0o644) }
        let next = try scheduler()
        #expect(try await next.info(id: "w") != nil)
        for part in parts where FileRights.of(part) != 0 { #expect(FileRights.of(part) == 0o600, "\(part)") }
        await next.shutdown()
    }

    private func expectRefusal(_ words: String) {
        let error = #expect(throws: ConfigurationError.self) { try scheduler() }
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
        #expect(files.isEmpty)
    }

    @Test("a directory that everyone may write to is rejected", arguments: [0o777, 0o1777, 0o702])
    func everybody(mode: Int) {
        FileRights.makeFolder(directory, rights: mode)
        expectRefusal("every user may write to it")
    }

    @Test(
        "a directory of another user is rejected",
        .enabled(if: FileRights.isRoot, "only root can give a directory away"))
    func another() {
        FileRights.makeFolder(directory, rights: 0o700)
        FileRights.give(directory, user: 65_534, group: 0)
        let process = "and this process runs as \(FileRights.words(user: 0))"
        expectRefusal("it belongs to the user \(FileRights.words(user: 65_534)), \(process)")
        // A number that usually has no name.
        FileRights.give(directory, user: 65_432, group: 0)
        expectRefusal("it belongs to the user \(FileRights.words(user: 65_432)), \(process)")
    }

    @Test(
        "a directory that a foreign group may write to is rejected",
        .enabled(if: FileRights.isRoot, "only root can give it away"))
    func foreignGroup() {
        FileRights.makeFolder(directory, rights: 0o770)
        FileRights.give(directory, user: FileRights.user, group: 65_534)
        expectRefusal("the group \(FileRights.words(group: 65_534)) may write to it")
    }

    @Test("the group that a user has for itself may write to it")
    func ownGroup() async throws {
        FileRights.makeFolder(directory, rights: 0o770)
        // Debian gives each user a group of its name; root has one everywhere.
        guard FileRights.isRoot else { return }
        FileRights.give(directory, user: 0, group: 0)
        let scheduler = try scheduler()
        await scheduler.shutdown()
    }

    @Test("files of unknown owners are removed at a launch, and new ones stay")
    func orphans() async throws {
        let first = try scheduler()
        try await first.start()
        let owners = directory + "/owners/"
        let old = Date(timeIntervalSinceNow: -3600)
        for name in ["a.lock", "b.lock.bell", "new.lock"] {
            #expect(FileManager.default.createFile(atPath: owners + name, contents: nil))
        }
        for name in try FileManager.default.contentsOfDirectory(atPath: owners) where name != "new.lock" {
            try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: owners + name)
        }
        let living = Set(try FileManager.default.contentsOfDirectory(atPath: owners))
            .subtracting(["a.lock", "b.lock.bell"])
        let second = try scheduler()
        try await second.start()
        let left = Set(try FileManager.default.contentsOfDirectory(atPath: owners))
        #expect(living.isSubset(of: left))
        #expect(left.isDisjoint(with: ["a.lock", "b.lock", "b.lock.bell"]), "\(left)")
        await second.shutdown()
        await first.shutdown()
    }
}
