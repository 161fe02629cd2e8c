import BackgroundWork
import BackgroundWorkFiles

/// Computes the SHA-256 of the file that the step before has downloaded, and compares it if the digest is known.
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
