import BackgroundWork
import BackgroundWorkModel
import Foundation
import TestSupport
import Testing

/// A policy that cannot be understood must not be taken for one that allows less, or more.
struct SecurityPolicyValidationTests {
    private static let policies: [(change: @Sendable (inout SecurityPolicy) -> Void, quoted: String)] = [
        ({ $0.allowedHosts = ["http://nas.example/"] }, "allowedHosts has \"http://nas.example/\""),
        ({ $0.allowedPorts = [80, 0] }, "allowedPorts has 0"),
        ({ $0.allowedDirectories = ["files"] }, "allowedDirectories has \"files\""),
    ]

    @Test("a scheduler, a downloader and an uploader are not created with it, and say what is wrong")
    func refused() throws {
        let folder = try TemporaryFolder()
        let directory = URL(filePath: folder.path + "/queue")
        for (change, quoted) in Self.policies {
            var policy = SecurityPolicy.publicInternet
            change(&policy)
            var configuration = WorkScheduler.Configuration(directory: directory)
            configuration.securityPolicy = policy
            var standalone = StandaloneTransferConfiguration(directory: directory)
            standalone.securityPolicy = policy
            let errors = [
                #expect(throws: ConfigurationError.self) {
                    _ = try WorkScheduler(configuration: configuration, workers: WorkerRegistry())
                },
                #expect(throws: ConfigurationError.self) { _ = try Downloader(configuration: standalone) },
                #expect(throws: ConfigurationError.self) { _ = try Uploader(configuration: standalone) },
            ]
            for error in errors { #expect(error?.description.contains(quoted) == true, "\(String(describing: error))") }
        }
        #expect(!FileManager.default.fileExists(atPath: directory.path))
    }
}
