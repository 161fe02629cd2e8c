import BackgroundWorkFoundation
import BackgroundWorkTesting
import TestSupport
import Testing

@testable import BackgroundWorkURLSession

/// The attributes that received files and their folder have on Apple's platforms.
struct StagingAttributesTests {
    @Test("backups leave out what was received, and it can be used while the device is locked")
    func received() async throws {
        let stage = try SessionStage()
        let (service, recorder) = (stage.service(), OutcomeRecorder())
        await service.receive(with: recorder, immediately: true)
        let task = try await stage.begin(stage.download("a"), with: service)
        try stage.scripted.deliver(Array("the file".utf8), of: task)
        stage.scripted.complete(task)
        await recorder.wait(for: 1)
        let staging = stage.folder.path + "/url_sessions"
        #expect(FileAttributesShim.isExcludedFromBackup(staging))
        #expect(!FileAttributesShim.isExcludedFromBackup(stage.folder.path))
        #if BACKGROUNDWORK_HAS_DATA_PROTECTION
        let protection = FileAttributesShim.protection(of: staging + "/1.part")
        #expect(protection?.rawValue == FileProtectionType.completeUntilFirstUserAuthentication.rawValue)
        #endif
    }

    @Test("a folder that backups cannot be told to leave out is reported, and transfers go on")
    func refused() async throws {
        let stage = try SessionStage()
        let staging = stage.folder.path + "/url_sessions"
        try FileManager.default.createDirectory(atPath: staging, withIntermediateDirectories: true)
        FileAttributesShim.refuse(staging, with: CocoaError(.fileWriteNoPermission))
        let reports = Recorder<String>()
        let service = stage.service(report: reports.add)
        #expect(try await service.transfers().isEmpty)
        let start = "\(staging) could not be excluded from backups: "
        #expect(reports.values.contains { $0.hasPrefix(start) }, "\(reports.values)")
    }
}
