import CryptoKit

/// A hash that CryptoKit computes.
final class SystemHash {
    private var hash: any HashFunction

    /// Cannot fail; Linux's hash can.
    init(_ algorithm: DigestAlgorithm) throws {
        hash =
            switch algorithm {
            case .md5: Insecure.MD5()
            case .sha1: Insecure.SHA1()
            case .sha256: SHA256()
            case .sha512: SHA512()
            }
    }

    func update(_ bytes: UnsafeRawBufferPointer) { hash.update(bufferPointer: bytes) }

    /// To be called once, and last.
    func finish() throws -> [UInt8] { Array(hash.finalize()) }
}
