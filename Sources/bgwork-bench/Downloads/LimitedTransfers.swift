import BackgroundWork
import Foundation

/// Transfers of a real agent under a limit, measured by what it says that it has moved at two moments.
struct LimitedTransfers {
    var folder: String
    var agent: String
    var server: BenchmarkServer

    struct NothingMoves: Error, CustomStringConvertible {
        var description: String
    }

    /// The bytes a second that were moved.
    func measure(_ rate: RateCase) async throws -> Double {
        let directory = folder + "/limited"
        var downloads = AgentDownloads(directory: directory, agent: agent)
        if rate.kind == .threeDownloads { downloads.limits.bytesPerSecond = Int64(rate.bytesPerSecond) }
        let scheduler = try await downloads.start()
        let sessions = scheduler.backgroundSessions
        for index in 0..<rate.kind.transfers { try await enqueue(rate, index, with: sessions) }
        let figure = try await rateOfAll(rate, sessions)
        await scheduler.shutdown()
        AgentProcess(servingDirectory: directory)?.end()
        try FileManager.default.removeItem(atPath: directory)
        return figure
    }

    private func enqueue(_ rate: RateCase, _ index: Int, with sessions: BackgroundSessionManager) async throws {
        switch rate.kind {
        case .download, .fourConnections, .threeDownloads:
            var download = DownloadConfiguration(
                url: try server.serveEmptyFile(named: "limited-\(index)", bytes: rate.fileBytes),
                savePath: "\(folder)/limited-\(index).bin")
            download.connections = .fixed(rate.kind == .fourConnections ? 4 : 1)
            if rate.kind != .threeDownloads { download.options.bytesPerSecond = Int64(rate.bytesPerSecond) }
            try await sessions.enqueueDownload(configuration: download)
        case .upload:
            let source = "\(folder)/source.bin"
            _ = FileManager.default.createFile(atPath: source, contents: nil)
            try FileHandle(forWritingTo: URL(filePath: source)).truncate(atOffset: UInt64(rate.fileBytes))
            var upload = UploadConfiguration(url: server.url(of: "put/\(index)"), filePath: source)
            upload.options.bytesPerSecond = Int64(rate.bytesPerSecond)
            try await sessions.enqueueUpload(configuration: upload)
        }
    }

    private func rateOfAll(_ rate: RateCase, _ sessions: BackgroundSessionManager) async throws -> Double {
        let clock = ContinuousClock()
        let begin = clock.now
        var first: (at: ContinuousClock.Instant, bytes: Int64)?
        while true {
            try await Task.sleep(for: .milliseconds(10))
            let transfers = try await sessions.transfers()
            let now = clock.now
            let bytes = transfers.reduce(0) { $0 + $1.bytes }
            if let first {
                let seconds = (now - first.at) / .seconds(1)
                if seconds >= RateCase.seconds { return Double(bytes - first.bytes) / seconds }
            } else if transfers.count == rate.kind.transfers, transfers.allSatisfy({ $0.bytes > 0 }) {
                first = (now, bytes)
            } else if now - begin > .seconds(60) {
                throw NothingMoves(
                    description: "\(rate.kind.words) at \(rate.rateWords): nothing has moved for a minute")
            }
        }
    }
}
