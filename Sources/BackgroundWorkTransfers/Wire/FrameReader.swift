/// Cuts a stream of bytes into frames, however the bytes arrive.
package struct FrameReader: Sendable {
    /// Room for the next bytes is never less than this.
    private static let leastRoom = 8 << 10
    /// Grows no further for the sake of fewer reads.
    private static let comfortableBytes = 64 << 10

    private var buffer: [UInt8] = []
    /// What has arrived and was not returned yet.
    private var unread = 0..<0

    package init() {}

    /// Whether part of a frame has arrived.
    package var holdsPartialFrame: Bool { !unread.isEmpty }

    /// Takes what `read` puts into the space that it is handed; returns how many bytes those are, as `read` says.
    ///
    /// The space is kept from one read to the next.
    package mutating func receive(_ read: (UnsafeMutableRawBufferPointer) throws -> Int) rethrows -> Int {
        makeRoom()
        let end = unread.upperBound
        let count = try buffer.withUnsafeMutableBytes { try read(.init(rebasing: $0[end...])) }
        unread = unread.lowerBound..<end + max(0, count)
        // Where so much arrives at once, more may wait.
        if unread.upperBound == buffer.count, buffer.count < Self.comfortableBytes { grow(to: 2 * buffer.count) }
        return count
    }

    /// The next complete frame's body, or `nil` until more bytes arrive.
    ///
    /// It is a part of what was read, not a copy. If the caller keeps it, the buffer is copied when more is read.
    package mutating func next() throws(FrameError) -> ArraySlice<UInt8>? {
        guard unread.count >= 4 else { return nil }
        let start = unread.lowerBound + 4
        let length = buffer[unread.lowerBound..<start].reduce(0) { $0 << 8 | Int($1) }
        guard length <= FrameCodec.maximumBytes else { throw .oversized(bytes: length) }
        guard unread.upperBound - start >= length else { return nil }
        unread = start + length..<unread.upperBound
        return buffer[start..<start + length]
    }

    /// Moves what is left to the front, once for each batch that was read rather than once a frame.
    private mutating func makeRoom() {
        if unread.lowerBound > 0 {
            buffer.withUnsafeMutableBytes { $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[unread])) }
            unread = 0..<unread.count
        }
        if buffer.count - unread.count < Self.leastRoom { grow(to: max(2 * buffer.count, 2 * Self.leastRoom)) }
    }

    private mutating func grow(to count: Int) {
        buffer.append(contentsOf: repeatElement(0, count: count - buffer.count))
    }
}
