#if canImport(CryptoKit)
import CryptoKit
#else
import CBackgroundWorkCrypto
#endif

/// A digest of bytes that arrive in pieces.
final class MessageDigest {
    enum Algorithm { case md5, sha256 }

    #if canImport(CryptoKit)
    private var hash: any HashFunction

    init?(_ algorithm: Algorithm) { hash = algorithm == .md5 ? Insecure.MD5() : SHA256() }

    func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { hash.update(bufferPointer: $0) } }

    /// The digest as lowercase hexadecimal digits.
    func finish() -> String { Self.text(hash.finalize().map { $0 }) }
    #else
    private let context: OpaquePointer

    /// `nil` when the system's library has no memory, or not this algorithm.
    init?(_ algorithm: Algorithm) {
        guard let context = EVP_MD_CTX_new() else { return nil }
        guard EVP_DigestInit_ex(context, algorithm == .md5 ? EVP_md5() : EVP_sha256(), nil) == 1 else {
            EVP_MD_CTX_free(context)
            return nil
        }
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    func update(_ bytes: [UInt8]) { _ = bytes.withUnsafeBytes { EVP_DigestUpdate(context, $0.baseAddress, $0.count) } }

    /// The digest as lowercase hexadecimal digits.
    func finish() -> String {
        var bytes = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        EVP_DigestFinal_ex(context, &bytes, &count)
        return Self.text(Array(bytes.prefix(Int(count))))
    }
    #endif

    /// The digest of a text; `nil` when there is no such algorithm.
    static func of(_ text: String, _ algorithm: Algorithm) -> String? {
        guard let digest = MessageDigest(algorithm) else { return nil }
        digest.update(Array(text.utf8))
        return digest.finish()
    }

    private static func text(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
