import BackgroundWork
import BackgroundWorkFiles
import BackgroundWorkModel
import Dispatch
import Foundation

/// A small host, as an app or a service would have it: it registers its workers, listens, sweeps, starts, and enqueues
/// a chain if requested. It may be killed at any time; the agent starts it again.
enum ExampleHost {
    static func main(directory: String, order: DownloadOrder?) async throws {
        var workers = WorkerRegistry()
        try workers.register(VerifyWorker.self) { VerifyWorker() }
        try workers.register(ReportWorker.self) { ReportWorker() }

        var configuration = WorkScheduler.Configuration(directory: URL(filePath: directory))
        configuration.launchCommand = .thisProgram(arguments: ["demo-host", "--directory", directory])
        configuration.securityPolicy = .unrestricted  // the demo's server is on this machine
        let scheduler = try WorkScheduler(configuration: configuration, workers: workers)

        let events = try await scheduler.eventBus.events(for: "example-host")
        Task {
            for await event in events {
                print("event \(event.sequence): \(event.workID) \(event.outcome.rawValue): \(event.message ?? "")")
                fflush(nil)
                try await event.acknowledge()
            }
        }
        print("sweep: \(try await scheduler.sweepStaleStateOnLaunch())")
        try await scheduler.start()

        if let order {
            try await scheduler.beginWith(order.request)
                .then(TaskRequest(VerifyWorker.self, input: .init(sha256: order.sha256)))
                .then(TaskRequest(ReportWorker.self, input: .init(path: directory + "/report.json")))
                .enqueue(id: "demo", policy: .keep)
        }
        await scheduler.runUntilTerminated()
    }
}

/// The download that the example host enqueues.
struct DownloadOrder {
    var url: String
    var savePath: String
    /// The expected digest of the file; `nil` if unknown.
    var sha256: String?

    /// The download as a request.
    var request: TaskRequest {
        TaskRequest(
            BackgroundDownloadWorker.self, input: DownloadConfiguration(url: url, savePath: savePath),
            retryPolicy: .exponential(initialDelay: .seconds(1), maximumAttempts: 5))
    }
}

extension DownloadOrder {
    /// Reads `--url URL --save-path PATH [--sha256 HEX]`; `nil` when none is given.
    init?(_ arguments: inout Arguments) throws {
        let (url, savePath) = (try arguments.value("--url"), try arguments.value("--save-path"))
        let sha256 = try arguments.value("--sha256")?.lowercased()
        switch (url, savePath) {
        case (nil, nil): return nil
        case (let url?, let savePath?): self.init(url: url, savePath: savePath, sha256: sha256)
        default: throw UsageError(description: "--url and --save-path go together")
        }
    }
}

/// Computes the SHA-256 of the file that the previous step has downloaded, and compares it if the digest is known.
struct VerifyWorker: Worker {
    struct Input: Codable, Sendable { var sha256: String? }
    struct Output: Codable, Sendable {
        var savePath: String
        var sha256: String
    }

    func doWork(_ input: Input, context: WorkerContext) async throws -> WorkerResult {
        let download = try await context.output(of: DownloadOutput.self)
        let digest = try await FileDigest.sha256(ofFileAt: download.savePath)
        if let expected = input.sha256, expected != digest {
            return .failure(message: "\(download.savePath) has the SHA-256 \(digest), but \(expected) was expected")
        }
        return try .success(
            message: "SHA-256 \(digest)", output: Output(savePath: download.savePath, sha256: digest))
    }
}

/// Counts the lines and bytes of the verified file and writes a report.
struct ReportWorker: Worker {
    struct Input: Codable, Sendable { var path: String }
    struct Report: Codable, Sendable, Equatable {
        var sha256: String
        var lines: Int
        var bytes: Int
    }

    func doWork(_ input: Input, context: WorkerContext) async throws -> WorkerResult {
        let verified = try await context.output(of: VerifyWorker.Output.self)
        // Reading a file blocks its thread, so it happens on a queue, not on Swift's cooperative pool.
        let report = try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(with: Result { try Self.count(verified) }) }
        }
        try Data(JSONCoding.text(of: report).utf8).write(to: URL(filePath: input.path), options: .atomic)
        return .success(message: "\(report.lines) lines in \(report.bytes) bytes")
    }

    private static func count(_ verified: VerifyWorker.Output) throws -> Report {
        let file = try FileHandle(forReadingFrom: URL(filePath: verified.savePath))
        defer { try? file.close() }
        var report = Report(sha256: verified.sha256, lines: 0, bytes: 0)
        while let piece = try file.read(upToCount: 1 << 20), !piece.isEmpty {
            report.bytes += piece.count
            report.lines += piece.reduce(0) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
        }
        return report
    }
}
