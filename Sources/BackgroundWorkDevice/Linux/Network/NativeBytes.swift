#if os(Linux)
/// Bytes in the order of this machine, as the kernel hands them out. What would lie outside them is `nil`.
struct NativeBytes {
    private let bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    var count: Int { bytes.count }

    func integer<T: FixedWidthInteger>(_ type: T.Type = T.self, at offset: Int) -> T? {
        guard offset >= 0, offset <= count - MemoryLayout<T>.size else { return nil }
        return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) }
    }

    func part(_ range: Range<Int>) -> NativeBytes? {
        guard range.lowerBound >= 0, range.upperBound <= count else { return nil }
        return NativeBytes(bytes[(bytes.startIndex + range.lowerBound)..<(bytes.startIndex + range.upperBound)])
    }

    func part(from offset: Int) -> NativeBytes? {
        guard offset >= 0, offset <= count else { return nil }
        return NativeBytes(bytes.dropFirst(offset))
    }
}
#endif
