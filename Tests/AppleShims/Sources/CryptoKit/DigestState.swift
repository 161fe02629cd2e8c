import CAppleCrypto

/// libcrypto's state of a digest, with a value's meaning: a copy goes on by itself.
struct DigestState: Sendable {
    /// Changed only by the one value that holds it, or while it is held by nobody else.
    private final class Context: @unchecked Sendable {
        let pointer: UnsafeMutableRawPointer

        init(_ pointer: UnsafeMutableRawPointer?) {
            guard let pointer else { preconditionFailure("libcrypto refuses a digest") }
            self.pointer = pointer
        }

        deinit { shim_digest_free(pointer) }
    }

    private var context: Context

    init(_ name: String) { context = Context(shim_digest_begin(name)) }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        if !isKnownUniquelyReferenced(&context) { context = Context(shim_digest_copy(context.pointer)) }
        withExtendedLifetime(context) { shim_digest_update(context.pointer, bytes.baseAddress, bytes.count) }
    }

    func finish() -> [UInt8] {
        let copy = Context(shim_digest_copy(context.pointer))
        return [UInt8](unsafeUninitializedCapacity: 64) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            count = withExtendedLifetime(copy) { shim_digest_finish(copy.pointer, start) }
        }
    }
}
