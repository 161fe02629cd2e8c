import CBackgroundWorkCrypto

/// A hash that libcrypto computes; loaded with the first one.
final class SystemHash {
    private let algorithm: DigestAlgorithm
    private let hash: OpaquePointer
    private var isGood = true

    /// Throws ``DigestError`` where libcrypto is missing or does not know the algorithm.
    init(_ algorithm: DigestAlgorithm) throws {
        self.algorithm = algorithm
        var reason: UnsafePointer<CChar>?
        guard let hash = bgw_digest_begin(algorithm.rawValue, &reason) else {
            throw DigestError(algorithm: algorithm.rawValue, reason: reason.map { String(cString: $0) } ?? "")
        }
        self.hash = hash
    }

    deinit { bgw_digest_free(hash) }

    func update(_ bytes: UnsafeRawBufferPointer) {
        if bgw_digest_update(hash, bytes.baseAddress, bytes.count) != 1 { isGood = false }
    }

    /// To be called once, and last. Throws ``DigestError`` if libcrypto failed for one of the pieces.
    func finish() throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Int(BGW_DIGEST_MAXIMUM))
        let count = isGood ? bgw_digest_finish(hash, &bytes) : 0
        guard count > 0 else { throw DigestError(algorithm: algorithm.rawValue, reason: "libcrypto has failed") }
        return Array(bytes[..<count])
    }
}
