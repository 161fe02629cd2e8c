import FoundationEssentials

/// doc: cryptokit/sha256
public struct SHA256: HashFunction {
    /// doc: cryptokit/sha256/blockbytecount
    public static let blockByteCount = 64
    /// doc: cryptokit/sha256/digest
    public typealias Digest = SHA256Digest
    private var state = DigestState("SHA256")

    /// doc: cryptokit/sha256/init()
    public init() {}

    /// doc: cryptokit/sha256/update(bufferpointer:)
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) { state.update(bufferPointer) }

    /// doc: cryptokit/sha256/finalize()
    public func finalize() -> Digest { Digest(bytes: state.finish()) }
}

/// doc: cryptokit/sha256digest
public struct SHA256Digest: Digest {
    /// doc: cryptokit/sha256digest/bytecount
    public static let byteCount = 32
    fileprivate let bytes: [UInt8]

    /// doc: cryptokit/sha256digest/withunsafebytes(_:)
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try bytes.withUnsafeBytes(body)
    }
}

/// doc: cryptokit/sha512
public struct SHA512: HashFunction {
    /// doc: cryptokit/sha512/blockbytecount
    public static let blockByteCount = 128
    /// doc: cryptokit/sha512/digest
    public typealias Digest = SHA512Digest
    private var state = DigestState("SHA512")

    /// doc: cryptokit/sha512/init()
    public init() {}

    /// doc: cryptokit/sha512/update(bufferpointer:)
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) { state.update(bufferPointer) }

    /// doc: cryptokit/sha512/finalize()
    public func finalize() -> Digest { Digest(bytes: state.finish()) }
}

/// doc: cryptokit/sha512digest
public struct SHA512Digest: Digest {
    /// doc: cryptokit/sha512digest/bytecount
    public static let byteCount = 64
    fileprivate let bytes: [UInt8]

    /// doc: cryptokit/sha512digest/withunsafebytes(_:)
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try bytes.withUnsafeBytes(body)
    }
}
