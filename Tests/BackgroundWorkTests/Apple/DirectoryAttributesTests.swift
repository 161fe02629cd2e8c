import BackgroundWork
import BackgroundWorkFoundation
import BackgroundWorkTesting
import TestSupport
import Testing

/// The attributes of a directory on Apple's platforms: its data protection, and whether backups contain it.
struct DirectoryAttributesTests {
    private let folder: TemporaryFolder
    private let notices = Recorder<SchedulerNotice>()

    init() throws { folder = try TemporaryFolder() }

    private func openScheduler(isExcludedFromBackup: Bool? = nil) throws -> WorkScheduler {
        var configuration = WorkScheduler.Configuration(directory: URL(filePath: folder.path))
        configuration.isExcludedFromBackup = isExcludedFromBackup
        configuration.noticeHandler = { [notices] in notices.add($0) }
        return try WorkScheduler(configuration: configuration, workers: WorkerRegistry())
    }

    private func openDownloader(isExcludedFromBackup: Bool? = nil) throws -> Downloader {
        var configuration = StandaloneTransferConfiguration(directory: URL(filePath: folder.path))
        configuration.transferService = try ScriptedTransferService()
        configuration.isExcludedFromBackup = isExcludedFromBackup
        configuration.noticeHandler = { [notices] in notices.add($0) }
        return try Downloader(configuration: configuration)
    }

    @Test("backups contain a directory unless the configuration says otherwise, and what somebody has set stays")
    func backup() async throws {
        for (wanted, isExcluded) in [(nil, false), (true, true), (nil, true), (false, false)] as [(Bool?, Bool)] {
            await (try openScheduler(isExcludedFromBackup: wanted)).shutdown()
            #expect(FileAttributesShim.isExcludedFromBackup(folder.path) == isExcluded, "\(String(describing: wanted))")
        }
        #expect(notices.values.isEmpty)
    }

    @Test("the directory of a downloader is excluded from backups")
    func downloaderBackup() async throws {
        await (try openDownloader(isExcludedFromBackup: true)).shutdown()
        #expect(FileAttributesShim.isExcludedFromBackup(folder.path))
    }

    @Test("a directory that cannot be excluded gets a notice, and its scheduler works")
    func refusedExclusion() async throws {
        FileAttributesShim.refuse(folder.path, with: CocoaError(.fileWriteNoPermission))
        let scheduler = try openScheduler(isExcludedFromBackup: true)
        try await scheduler.enqueue(TaskRequest(workerClassName: "W"), id: "w")
        let messages = notices.values.filter { $0.kind == .attributesNotSet }.map(\.message)
        #expect(
            messages.contains { $0.hasPrefix("\(folder.path) could not be excluded from backups: ") }, "\(messages)")
        await scheduler.shutdown()
    }

    #if BACKGROUNDWORK_HAS_DATA_PROTECTION
    private func protection(_ name: String = "") -> String? {
        FileAttributesShim.protection(of: name.isEmpty ? folder.path : folder.path + "/" + name)?.rawValue
    }

    /// As in an app whose default is complete protection, and which has run without the package's classes.
    private func protectCompletely() throws {
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            FileAttributesShim.setProtection(.complete, of: folder.path + "/" + name)
        }
        FileAttributesShim.setProtection(.complete, of: folder.path)
    }

    @Test("the files of a scheduler can be used while the device is locked; other files in its directory stay")
    func scheduler() async throws {
        let first = try openScheduler()
        try await first.start()
        try await first.enqueue(TaskRequest(workerClassName: "W", delay: .seconds(3600)), id: "w")
        await first.shutdown()
        #expect(FileManager.default.createFile(atPath: folder.path + "/foreign", contents: Data()))
        try protectCompletely()
        let second = try openScheduler()
        let usable = FileProtectionType.completeUntilFirstUserAuthentication.rawValue
        #expect(protection() == usable)
        for name in ["work.sqlite", "owners", "base_folders.json"] { #expect(protection(name) == usable, "\(name)") }
        #expect(protection("foreign") == FileProtectionType.complete.rawValue)
        #expect(notices.values.isEmpty)
        await second.shutdown()
    }

    @Test("the files of a downloader can be used while the device is locked")
    func downloader() async throws {
        await (try openDownloader()).shutdown()
        try protectCompletely()
        await (try openDownloader()).shutdown()
        let usable = FileProtectionType.completeUntilFirstUserAuthentication.rawValue
        for name in ["", "standalone.sqlite", "direct.lock"] { #expect(protection(name) == usable, "\(name)") }
    }

    @Test("before the first unlock a scheduler says what to wait for, and changes nothing")
    func locked() async throws {
        let database = folder.path + "/work.sqlite"
        let first = try openScheduler()
        try await first.enqueue(TaskRequest(workerClassName: "W", delay: .seconds(3600)), id: "w")
        await first.shutdown()
        let names = folder.names
        do {
            let withheld = WithheldDatabase(database)
            let error = #expect(throws: ConfigurationError.protectedDataUnavailable(path: database)) {
                _ = try openScheduler()
            }
            #expect(error?.description.contains("unlocked once") == true)
            withExtendedLifetime(withheld) {}
        }
        #expect(folder.names == names)
        let second = try openScheduler()
        #expect(try await second.info(id: "w") != nil)
        await second.shutdown()
    }

    @Test("before the first unlock a downloader says what to wait for")
    func lockedDownloader() async throws {
        await (try openDownloader()).shutdown()
        let database = folder.path + "/standalone.sqlite"
        let withheld = WithheldDatabase(database)
        #expect(throws: ConfigurationError.protectedDataUnavailable(path: database)) { _ = try openDownloader() }
        withExtendedLifetime(withheld) {}
    }
    #endif
}
