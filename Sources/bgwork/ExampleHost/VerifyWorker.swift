import BackgroundWork
import Foundation

/// Computes the SHA-256 of the file that the step before has downloaded, and compares it if the digest is known.
struct VerifyWorker: Worker {
    struct Input: Codable, Sendable { var sha256: String? }
    struct Download: Codable { var savePath: String }
    struct Output: Codable {
        var savePath: String
        var sha256: String
    }

    func doWork(_ input: Input, context: WorkerContext) async throws -> WorkerResult {
        guard let json = context.previousOutputs.first else { return .failure(message: "there is no download before") }
        let download = try JSONDecoder().decode(Download.self, from: Data(json.utf8))
        let digest = try await FileDigest.sha256(ofFileAt: download.savePath)
        if let expected = input.sha256, expected != digest {
            return .failure(message: "\(download.savePath) has the SHA-256 \(digest), but \(expected) was expected")
        }
        let output = try JSONEncoder().encode(Output(savePath: download.savePath, sha256: digest))
        return .success(message: "SHA-256 \(digest)", outputJSON: String(decoding: output, as: UTF8.self))
    }
}
