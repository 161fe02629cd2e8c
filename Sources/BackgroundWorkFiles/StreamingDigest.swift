import BackgroundWorkFoundation
import BackgroundWorkSystem

/// A digest of bytes that arrive in pieces, with constant memory. On Linux the first one of a process loads libcrypto.
///
/// Not for two threads at once.
package final class StreamingDigest {
    /// A file is read in pieces of this many bytes.
    private static let pieceBytes = 1 << 18

    private let hash: SystemHash

    /// Throws ``DigestError`` where the system's library is missing or does not know the algorithm.
    package init(_ algorithm: DigestAlgorithm) throws {
        hash = try SystemHash(algorithm)
    }

    package func update(_ bytes: UnsafeRawBufferPointer) { hash.update(bytes) }

    /// Adds the content of an open file from `offset` on, up to `end` or its end, without moving the descriptor's
    /// position. Returns how many bytes that was. Blocks the calling thread.
    ///
    /// Throws ``FileError`` with `path` when it cannot be read; the bytes added before remain in the digest.
    @discardableResult
    package func update(
        reading descriptor: Int32, from offset: Int64 = 0, to end: Int64 = .max, path: String
    ) throws -> Int64 {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceBytes, alignment: 16)
        defer { buffer.deallocate() }
        var position = offset
        while position < end {
            let wanted = Int(min(Int64(buffer.count), end - position))
            let count = pread(descriptor, buffer.baseAddress, wanted, off_t(position))
            if count == 0 { break }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw FileError(action: "read", path: path, code: errno)
            }
            update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            position += Int64(count)
        }
        return position - offset
    }

    /// The digest as hexadecimal digits in lower case. To be called once; no bytes may be added after it.
    ///
    /// Throws ``DigestError`` if the system's library failed for one of the pieces.
    package func finish() throws -> String { Self.hexDigits(of: try hash.finish()) }

    static func hexDigits(of bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

/// A digest algorithm.
package enum DigestAlgorithm: String, Sendable, Hashable, CaseIterable {
    case md5 = "MD5"
    case sha1 = "SHA1"
    case sha256 = "SHA256"
    case sha512 = "SHA512"
}

/// A digest could not be computed, for another reason than that its file could not be read.
package struct DigestError: Error, Hashable, CustomStringConvertible {
    /// Which one: `MD5`, `SHA1`, `SHA256` or `SHA512`.
    package let algorithm: String
    /// What is wrong, and what to do where that is known.
    package let reason: String

    /// What happened.
    package var description: String { "Cannot compute a digest with \(algorithm): \(reason)" }
}

extension DigestError: LocalizedError {
    /// The same as `description`.
    package var errorDescription: String? { description }
}
