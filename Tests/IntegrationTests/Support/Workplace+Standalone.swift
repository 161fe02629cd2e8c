import BackgroundWork
import Foundation
import TestSupport

extension Workplace {
    var standaloneConfiguration: StandaloneTransferConfiguration {
        var configuration = StandaloneTransferConfiguration(directory: URL(filePath: directory))
        configuration.securityPolicy = .unrestricted
        configuration.agentExecutable = agentScript
        return configuration
    }

    func downloader() throws -> Downloader { try Downloader(configuration: standaloneConfiguration) }

    func uploader() throws -> Uploader { try Uploader(configuration: standaloneConfiguration) }

    /// A download that is tried once.
    func standaloneDownload(_ path: String = "/file", to savePath: String? = nil) -> DownloadConfiguration {
        var download = DownloadConfiguration(url: server.url(path), savePath: savePath ?? self.savePath)
        download.options.retry = .never
        return download
    }

    /// Starts a program that downloads `/file` directly, as "the file", and ends with the result.
    func startDirectHost(stoppingAt point: KillPoint? = nil) throws -> ChildProcess {
        try ChildProcess(
            Programs.host, ["direct", directory, agentScript, server.url("/file"), savePath],
            environment: hostEnvironment(stoppingAt: point), log: hostLog)
    }

    /// The identifiers in the record of direct transfers, with their states.
    var standaloneRecord: [String: Int] {
        let rows = query("standalone.sqlite", "SELECT identifier, state FROM transfers") {
            ($0.text(0), Int($0.int(1)))
        }
        return Dictionary(rows ?? [], uniquingKeysWith: { $1 })
    }
}
