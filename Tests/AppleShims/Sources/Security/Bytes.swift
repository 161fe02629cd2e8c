import CAppleCrypto
import Foundation

extension Data {
    /// Calls the body with bytes that libcrypto reads and does not keep.
    func withBytes<Result>(_ body: (shim_bytes) -> Result) -> Result {
        withUnsafeBytes { buffer in
            let start = UnsafeMutablePointer(mutating: buffer.bindMemory(to: UInt8.self).baseAddress)
            return body(shim_bytes(bytes: start, count: buffer.count))
        }
    }

    /// Takes over what libcrypto has allocated.
    init(taking bytes: shim_bytes) {
        self.init(UnsafeRawBufferPointer(start: bytes.bytes, count: bytes.count))
        shim_bytes_free(bytes)
    }
}

/// Calls the body with the bytes of all of them.
func withAllBytes<Result>(_ all: [Data], _ body: ([shim_bytes]) -> Result) -> Result {
    func next(_ index: Int, _ found: [shim_bytes]) -> Result {
        if index == all.count { return body(found) }
        return all[index].withBytes { next(index + 1, found + [$0]) }
    }
    return next(0, [])
}
