import BackgroundWorkFoundation
import BackgroundWorkSystem

/// A keyed hash of bytes that arrive in pieces, with SHA-256 (RFC 2104), in constant memory.
///
/// Not for two threads at once.
package final class HMAC {
    /// Of SHA-256.
    private static let blockBytes = 64

    private let inner: SystemHash
    private let outer: SystemHash

    /// Throws ``DigestError`` where the system's library is missing.
    package init(key: some Collection<UInt8>) throws {
        (inner, outer) = (try SystemHash(.sha256), try SystemHash(.sha256))
        var block = Array(key)
        if block.count > Self.blockBytes {
            let hash = try SystemHash(.sha256)
            block.withUnsafeBytes(hash.update)
            block = try hash.finish()
        }
        block += repeatElement(0, count: Self.blockBytes - block.count)
        block.map { $0 ^ 0x36 }.withUnsafeBytes(inner.update)
        block.map { $0 ^ 0x5c }.withUnsafeBytes(outer.update)
    }

    package func update(_ bytes: UnsafeRawBufferPointer) { inner.update(bytes) }

    package func update(_ bytes: some ContiguousBytes) { bytes.withUnsafeBytes(inner.update) }

    /// The code as hexadecimal digits in lower case. To be called once, and last.
    ///
    /// Throws ``DigestError`` if the system's library failed for one of the pieces.
    package func finish() throws -> String {
        try inner.finish().withUnsafeBytes(outer.update)
        return StreamingDigest.hexDigits(of: try outer.finish())
    }
}
