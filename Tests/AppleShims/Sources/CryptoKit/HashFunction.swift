public import FoundationEssentials

/// doc: cryptokit/hashfunction
@preconcurrency public protocol HashFunction: Sendable {
    /// doc: cryptokit/hashfunction/blockbytecount
    static var blockByteCount: Int { get }
    /// doc: cryptokit/hashfunction/digest
    associatedtype Digest: CryptoKit.Digest
    /// doc: cryptokit/hashfunction/init()
    init()
    /// doc: cryptokit/hashfunction/update(bufferpointer:)
    mutating func update(bufferPointer: UnsafeRawBufferPointer)
    /// doc: cryptokit/hashfunction/finalize()
    func finalize() -> Digest
}

extension HashFunction {
    /// doc: cryptokit/hashfunction/hash(data:)
    public static func hash<D: DataProtocol>(data: D) -> Digest {
        var hash = Self()
        hash.update(data: data)
        return hash.finalize()
    }

    /// doc: cryptokit/hashfunction/update(data:)
    public mutating func update<D: DataProtocol>(data: D) {
        for region in data.regions { region.withUnsafeBytes { update(bufferPointer: $0) } }
    }
}

/// doc: cryptokit/digest
@preconcurrency public protocol Digest: Hashable, Sendable, ContiguousBytes, CustomStringConvertible, Sequence
where Element == UInt8 {
    /// doc: cryptokit/digest/bytecount
    static var byteCount: Int { get }
}

extension Digest {
    /// doc: cryptokit/digest/makeiterator()
    public func makeIterator() -> Array<UInt8>.Iterator { withUnsafeBytes { Array($0) }.makeIterator() }

    /// doc: cryptokit/digest/description
    public var description: String {
        "\(Self.self): " + map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
