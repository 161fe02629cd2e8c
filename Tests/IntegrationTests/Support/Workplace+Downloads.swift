import BackgroundWork
import BackgroundWorkTesting
import Foundation

extension Workplace {
    /// A download whose own retries follow quickly upon each other, as a request that is tried once.
    func request(
        _ path: String = "/file", _ change: (inout DownloadConfiguration) -> Void = { _ in }
    ) throws -> TaskRequest {
        var download = DownloadConfiguration(url: server.url(path), savePath: savePath)
        download.options.stallTimeout = .seconds(30)
        download.options.retry = .linear(
            initialDelay: .milliseconds(5), maximumDelay: .milliseconds(20), maximumAttempts: 5, jitter: 0)
        change(&download)
        return TaskRequest(
            workerClassName: "BackgroundDownloadWorker",
            inputJSON: String(decoding: try JSONEncoder().encode(download), as: UTF8.self), retryPolicy: .never)
    }

    /// Where the requests for the path began in the file.
    func rangeStarts(_ path: String = "/file") -> [Int64] {
        server.requests.filter { $0.path == path }.map { $0.range?.start ?? 0 }
    }

    /// The file that the agent is filling.
    var stagedFile: String? {
        let staging = directory + "/agent/staging"
        return (try? FileManager.default.contentsOfDirectory(atPath: staging))?.first { $0.hasSuffix(".part") }
            .map { staging + "/" + $0 }
    }

    /// Bytes that encode their position, so that none can be mistaken for another.
    static func content(bytes: Int) -> [UInt8] {
        var bytesLeft: [UInt8] = []
        bytesLeft.reserveCapacity(bytes + 8)
        var word: UInt64 = 0
        while bytesLeft.count < bytes {
            withUnsafeBytes(of: (word &* 0x9e37_79b9_7f4a_7c15).bigEndian) { bytesLeft.append(contentsOf: $0) }
            word += 1
        }
        return Array(bytesLeft.prefix(bytes))
    }
}
