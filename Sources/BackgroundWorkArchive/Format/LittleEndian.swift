/// The integers of a record that is read from its beginning to its end.
struct RecordReader {
    private let bytes: UnsafeRawBufferPointer
    private(set) var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var rest: Int { bytes.count - position }

    /// The next integer. Throws ``ArchiveError/damaged(_:)`` if the record is shorter.
    mutating func next<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) throws(ArchiveError) -> Number {
        guard rest >= MemoryLayout<Number>.size else { throw .damaged("a record is shorter than it says") }
        defer { position += MemoryLayout<Number>.size }
        return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: Number.self))
    }

    /// The next bytes. Throws as ``next(_:)`` does.
    mutating func next(count: Int) throws(ArchiveError) -> UnsafeRawBufferPointer {
        guard count >= 0, rest >= count else { throw .damaged("a record is shorter than it says") }
        defer { position += count }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
    }
}

extension [UInt8] {
    /// Appends an integer in the format's byte order.
    mutating func append<Number: FixedWidthInteger>(littleEndian number: Number) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}
