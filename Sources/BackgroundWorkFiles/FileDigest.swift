import Dispatch

#if canImport(CryptoKit)
import CryptoKit
#else
import CBackgroundWorkCrypto
#endif
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Digests of files, read in pieces with constant memory.
public enum FileDigest {
    private static let queue = DispatchQueue(label: "BackgroundWork.FileDigest")

    /// The SHA-256 (FIPS 180-4) of a file as 64 lowercase hexadecimal digits.
    ///
    /// The file is read on a queue of its own, so that the cooperative pool is not blocked. Throws ``FileError`` when
    /// it cannot be read.
    public static func sha256(ofFileAt path: String) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try blockingSHA256(ofFileAt: path) }) }
        }
    }

    /// The same on the calling thread, which it blocks.
    package static func blockingSHA256(ofFileAt path: String) throws -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError(action: "read", path: path, code: errno) }
        defer { close(descriptor) }
        var digest = try SHA256Stream()
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count == 0 { break }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw FileError(action: "read", path: path, code: errno)
            }
            buffer[..<count].withUnsafeBytes { digest.update($0) }
        }
        return text(digest.finish())
    }

    /// The same of bytes in memory.
    package static func sha256(of bytes: [UInt8]) throws -> String {
        var digest = try SHA256Stream()
        bytes.withUnsafeBytes { digest.update($0) }
        return text(digest.finish())
    }

    private static func text(_ digest: [UInt8]) -> String {
        let hexadecimal = Array("0123456789abcdef".utf8)
        let text = digest.flatMap { [hexadecimal[Int($0 >> 4)], hexadecimal[Int($0 & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }
}

#if canImport(CryptoKit)
/// SHA-256 by CryptoKit.
private struct SHA256Stream {
    private var hash = SHA256()
    init() throws {}
    mutating func update(_ bytes: UnsafeRawBufferPointer) { hash.update(bufferPointer: bytes) }
    mutating func finish() -> [UInt8] { Array(hash.finalize()) }
}
#else
/// SHA-256 by OpenSSL's libcrypto.
private struct SHA256Stream: ~Copyable {
    private let context: OpaquePointer

    init() throws {
        guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
            throw FileError(action: "begin a SHA-256 digest with", path: "libcrypto", code: ENOMEM)
        }
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
    }

    mutating func finish() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 32)
        EVP_DigestFinal_ex(context, &bytes, nil)
        return bytes
    }
}
#endif
