import BackgroundWorkSystem
import Dispatch

/// Digests of files, read in pieces with constant memory.
package enum FileDigest {
    private static let queue = DispatchQueue(label: "BackgroundWork.FileDigest")

    /// The SHA-256 (FIPS 180-4) of a file as 64 lowercase hexadecimal digits.
    ///
    /// The file is read on a queue of its own, so that the cooperative pool is not blocked. Throws ``FileError`` when
    /// it cannot be read, and ``DigestError`` where the system's libcrypto is missing.
    package static func sha256(ofFileAt path: String) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try blocking(.sha256, ofFileAt: path) }) }
        }
    }

    /// The digest of a whole file on the calling thread, which it blocks.
    package static func blocking(_ algorithm: DigestAlgorithm, ofFileAt path: String) throws -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError(action: "read", path: path, code: errno) }
        defer { close(descriptor) }
        let digest = try StreamingDigest(algorithm)
        try digest.update(reading: descriptor, path: path)
        return try digest.finish()
    }

    /// The SHA-256 of bytes in memory.
    package static func sha256(of bytes: [UInt8]) throws -> String {
        let digest = try StreamingDigest(.sha256)
        bytes.withUnsafeBytes { digest.update($0) }
        return try digest.finish()
    }
}
