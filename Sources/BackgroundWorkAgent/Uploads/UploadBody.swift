/// The body of an upload's request: a prefix, a range of the file, and a suffix. Read piece by piece.
struct UploadBody {
    var head: [UInt8] = []
    /// The range of the file.
    var range: Range<Int64>
    var tail: [UInt8] = []
    private(set) var position: Int64 = 0

    init(head: [UInt8] = [], range: Range<Int64>, tail: [UInt8] = []) {
        self.head = head
        self.range = range
        self.tail = tail
    }

    var fileBytes: Int64 { range.upperBound - range.lowerBound }
    var count: Int64 { Int64(head.count) + fileBytes + Int64(tail.count) }
    /// How many bytes of the file were supplied since the beginning.
    var sentFileBytes: Int64 { min(max(0, position - Int64(head.count)), fileBytes) }

    /// Returns whether the offset is inside the body.
    mutating func rewind(to offset: Int64) -> Bool {
        guard (0...count).contains(offset) else { return false }
        position = offset
        return true
    }

    /// The next bytes into `space`; 0 at the end, `nil` when those of the file have not been read yet.
    mutating func supply(_ space: UnsafeMutableRawBufferPointer, from file: ReadAhead) throws -> Int? {
        let headCount = Int64(head.count)
        let count: Int
        if position < headCount {
            count = Self.copy(head, from: Int(position), into: space)
        } else if position < headCount + fileBytes {
            let offset = position - headCount
            let wanted = Int(min(Int64(space.count), fileBytes - offset))
            let piece = UnsafeMutableRawBufferPointer(rebasing: space[..<wanted])
            guard let read = try file.take(into: piece, at: range.lowerBound + offset) else { return nil }
            count = read
        } else {
            count = Self.copy(tail, from: Int(position - headCount - fileBytes), into: space)
        }
        position += Int64(count)
        return count
    }

    private static func copy(_ bytes: [UInt8], from start: Int, into space: UnsafeMutableRawBufferPointer) -> Int {
        let piece = bytes[min(start, bytes.count)...].prefix(space.count)
        space.copyBytes(from: piece)
        return piece.count
    }
}
