import BackgroundWorkFiles
import Foundation

/// Checksums of what tests serve.
enum FileDigestOf {
    static func sha256(_ bytes: [UInt8]) async throws -> String { try FileDigest.sha256(of: bytes) }
}
