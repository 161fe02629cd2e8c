import BackgroundWork
import BackgroundWorkModel
import BackgroundWorkSystem
import BackgroundWorkTransfers
import Foundation
import TestSupport

extension Workplace {
    /// A download with whatever a test wants of it. What is tried again here is the transfer, not the request.
    func download(
        _ path: String = "/file", to savePath: String? = nil, _ change: (inout DownloadConfiguration) -> Void
    ) throws -> TaskRequest {
        try download(url: server.url(path), to: savePath, change)
    }

    func download(
        url: String, to savePath: String? = nil, _ change: (inout DownloadConfiguration) -> Void
    ) throws -> TaskRequest {
        var download = DownloadConfiguration(url: url, savePath: savePath ?? self.savePath)
        download.options.retry = .never
        change(&download)
        return TaskRequest(
            workerClassName: "BackgroundDownloadWorker",
            inputJSON: String(decoding: try JSONEncoder().encode(download), as: UTF8.self), retryPolicy: .never)
    }

    /// An upload of `sourcePath`, unless said otherwise by `change`.
    func upload(
        _ path: String = "/upload", _ change: (inout UploadConfiguration) -> Void = { _ in }
    ) throws -> TaskRequest {
        var upload = UploadConfiguration(url: server.url(path), filePath: sourcePath)
        upload.options.retry = .never
        change(&upload)
        return TaskRequest(
            workerClassName: "BackgroundUploadWorker",
            inputJSON: String(decoding: try JSONEncoder().encode(upload), as: UTF8.self), retryPolicy: .never)
    }

    var sourcePath: String { folder.path + "/source.bin" }

    /// Writes the file that is to be uploaded, and returns its content.
    @discardableResult
    func makeSource(bytes: Int) throws -> [UInt8] {
        var generator = SeededGenerator(seed: 7)
        let block = (0..<8192).flatMap { _ in withUnsafeBytes(of: generator.next()) { Array($0) } }
        var content: [UInt8] = []
        content.reserveCapacity(bytes + block.count)
        // The blocks differ by their beginnings.
        while content.count < bytes {
            content += withUnsafeBytes(of: content.count) { Array($0) }
            content += block
        }
        content.removeLast(content.count - bytes)
        try Data(content).write(to: URL(filePath: sourcePath))
        return content
    }

    /// The file that is to be uploaded as it is now.
    var source: UploadSource {
        var status = stat()
        stat(sourcePath, &status)
        return UploadSource(path: sourcePath, status)
    }
}

extension RetryPolicy {
    /// So many attempts, one right after the other.
    static func atOnce(_ attempts: Int) -> RetryPolicy {
        .linear(initialDelay: .zero, maximumAttempts: attempts, jitter: 0)
    }
}
