import FoundationEssentials

/// doc: cryptokit/insecure
public enum Insecure {
    /// doc: cryptokit/insecure/md5
    public struct MD5: HashFunction {
        /// doc: cryptokit/insecure/md5/blockbytecount
        public static let blockByteCount = 64
        /// doc: cryptokit/insecure/md5/digest
        public typealias Digest = MD5Digest
        private var state = DigestState("MD5")

        /// doc: cryptokit/insecure/md5/init()
        public init() {}

        /// doc: cryptokit/insecure/md5/update(bufferpointer:)
        public mutating func update(bufferPointer: UnsafeRawBufferPointer) { state.update(bufferPointer) }

        /// doc: cryptokit/insecure/md5/finalize()
        public func finalize() -> Digest { Digest(bytes: state.finish()) }
    }

    /// doc: cryptokit/insecure/md5digest
    public struct MD5Digest: CryptoKit.Digest {
        /// doc: cryptokit/insecure/md5digest/bytecount
        public static let byteCount = 16
        fileprivate let bytes: [UInt8]

        /// doc: cryptokit/insecure/md5digest/withunsafebytes(_:)
        public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
            try bytes.withUnsafeBytes(body)
        }
    }

    /// doc: cryptokit/insecure/sha1
    public struct SHA1: HashFunction {
        /// doc: cryptokit/insecure/sha1/blockbytecount
        public static let blockByteCount = 64
        /// doc: cryptokit/insecure/sha1/digest
        public typealias Digest = SHA1Digest
        private var state = DigestState("SHA1")

        /// doc: cryptokit/insecure/sha1/init()
        public init() {}

        /// doc: cryptokit/insecure/sha1/update(bufferpointer:)
        public mutating func update(bufferPointer: UnsafeRawBufferPointer) { state.update(bufferPointer) }

        /// doc: cryptokit/insecure/sha1/finalize()
        public func finalize() -> Digest { Digest(bytes: state.finish()) }
    }

    /// doc: cryptokit/insecure/sha1digest
    public struct SHA1Digest: CryptoKit.Digest {
        /// doc: cryptokit/insecure/sha1digest/bytecount
        public static let byteCount = 20
        fileprivate let bytes: [UInt8]

        /// doc: cryptokit/insecure/sha1digest/withunsafebytes(_:)
        public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
            try bytes.withUnsafeBytes(body)
        }
    }
}
