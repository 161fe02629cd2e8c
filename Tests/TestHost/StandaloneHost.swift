import BackgroundWork
import Foundation

/// A program that downloads without a scheduler: `direct DIRECTORY AGENT URL SAVE-PATH` asks for the file as
/// "the file", says the end, and ends.
enum StandaloneHost {
    static func run(_ arguments: [String]) async throws -> Never {
        guard arguments.count == 4 else { exit(64) }
        var configuration = Downloader.Configuration(directory: URL(filePath: arguments[0]))
        configuration.agentExecutable = arguments[1]
        configuration.securityPolicy = .unrestricted
        configuration.noticeHandler = { say("notice \($0)") }
        let downloader = try Downloader(configuration: configuration)
        var download = DownloadConfiguration(url: arguments[2], savePath: arguments[3])
        download.options.retry = .never
        switch await downloader.networkResponse(from: download, with: "the file") {
        case .success(let file): say("saved \(file.url.path) \(file.bytes)")
        case .retry(let after, let status): say("retry \(status) \(after.map { "\($0)" } ?? "-")")
        case .rejected(let status, _): say("rejected \(status)")
        case .failed(let error): say("failed \(error)")
        }
        await downloader.shutdown()
        exit(0)
    }
}
