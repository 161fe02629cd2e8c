/// Cuts a stream of bytes into frames, however the bytes arrive.
package struct FrameReader: Sendable {
    private var buffer: [UInt8] = []
    private var start = 0

    package init() {}

    /// Whether part of a frame has arrived.
    package var holdsPartialFrame: Bool { buffer.count > start }

    package mutating func append(_ bytes: ArraySlice<UInt8>) { buffer.append(contentsOf: bytes) }

    /// The next complete frame's body, or `nil` until more bytes arrive.
    ///
    /// It is a part of what was read, not a copy. Whoever keeps it has the rest copied when more is appended.
    package mutating func next() throws(FrameError) -> ArraySlice<UInt8>? {
        guard buffer.count - start >= 4 else { return compacted() }
        let length = buffer[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
        guard length <= FrameCodec.maximumBytes else { throw .oversized(bytes: length) }
        guard buffer.count - start >= 4 + length else { return compacted() }
        let body = buffer[start + 4..<start + 4 + length]
        start += 4 + length
        return body
    }

    /// Moves what is left to the front, once for each batch that was read rather than once a frame.
    private mutating func compacted() -> ArraySlice<UInt8>? {
        if start > 0 {
            buffer.removeFirst(start)
            start = 0
        }
        return nil
    }
}
