import BackgroundWork
import Dispatch
import Foundation

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
        try JSONEncoder().encode(report).write(to: URL(filePath: input.path), options: .atomic)
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
