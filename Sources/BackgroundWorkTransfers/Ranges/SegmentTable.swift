/// The parts of a file, each fetched over its own connection. Together they always cover the file. Pure.
package struct SegmentTable: Sendable, Hashable, Codable {
    package struct Segment: Sendable, Hashable, Codable {
        /// The first byte.
        package var start: Int64
        /// The byte after the last one.
        package var end: Int64
        /// The first byte that is still missing; `end` when none is.
        package var mark: Int64

        package init(start: Int64, end: Int64, mark: Int64) { (self.start, self.end, self.mark) = (start, end, mark) }

        package var bytesLeft: Int64 { end - mark }
        package var isComplete: Bool { mark >= end }
    }

    /// More parts are not useful, and each needs space in the mark file.
    package static let maximumCount = 64
    /// A smaller part does not justify a request.
    package static let smallestPart: Int64 = 256 << 10

    package let total: Int64
    /// In the order in which they were made; their places never change.
    package private(set) var segments: [Segment]

    /// A file of which the first bytes have come over one connection.
    package init(total: Int64, received: Int64) {
        self.total = total
        segments = [Segment(start: 0, end: total, mark: received)]
    }

    /// A table read from disk; `nil` unless the parts cover the file without overlapping.
    package init?(total: Int64, segments: [Segment]) {
        var next: Int64 = 0
        for segment in segments.sorted(by: { $0.start < $1.start }) {
            guard segment.start == next, segment.end > segment.start,
                (segment.start...segment.end).contains(segment.mark)
            else { return nil }
            next = segment.end
        }
        guard next == total, !segments.isEmpty, segments.count <= Self.maximumCount else { return nil }
        self.total = total
        self.segments = segments
    }

    package var bytesLeft: Int64 { segments.reduce(0) { $0 + $1.bytesLeft } }
    package var received: Int64 { total - bytesLeft }
    package var isComplete: Bool { segments.allSatisfy(\.isComplete) }

    /// The byte after the last received one: a shorter file does not contain what the marks say.
    package var writtenEnd: Int64 { segments.filter { $0.mark > $0.start }.map(\.mark).max() ?? 0 }

    /// How many bytes were received from the beginning without a gap.
    package var prefix: Int64 {
        var end: Int64 = 0
        for segment in segments.sorted(by: { $0.start < $1.start }) {
            end = segment.mark
            if !segment.isComplete { break }
        }
        return end
    }

    package mutating func advance(_ index: Int, to mark: Int64) {
        segments[index].mark = min(mark, segments[index].end)
    }

    /// The part that lacks most among those without a connection.
    package func idle(busy: Set<Int>) -> Int? {
        segments.indices.filter { !busy.contains($0) && !segments[$0].isComplete }
            .max { segments[$0].bytesLeft < segments[$1].bytesLeft }
    }

    /// Makes the second half of the longest missing range a part of its own and returns it; `nil` when no part is long
    /// enough.
    package mutating func split() -> Int? {
        guard segments.count < Self.maximumCount,
            let index = segments.indices.max(by: { segments[$0].bytesLeft < segments[$1].bytesLeft }),
            segments[index].bytesLeft >= 2 * Self.smallestPart
        else { return nil }
        let middle = segments[index].mark + segments[index].bytesLeft / 2
        segments.append(Segment(start: middle, end: segments[index].end, mark: middle))
        segments[index].end = middle
        return segments.count - 1
    }

    /// Divides the whole file into `count` parts of about the same size; into fewer when they would be too short.
    package mutating func split(into count: Int) {
        guard segments.count == 1, let first = segments.first else { return }
        let parts = Int64(min(Int64(count), max(1, first.bytesLeft / Self.smallestPart)))
        guard parts > 1 else { return }
        let size = first.bytesLeft / parts
        segments[0].end = first.mark + size
        for part in 1..<parts {
            let start = first.mark + part * size
            segments.append(Segment(start: start, end: part == parts - 1 ? total : start + size, mark: start))
        }
    }

    /// Merges parts of which nothing was received into the first one, whose connection can continue through them. False
    /// when bytes of another part were received.
    package mutating func rejoin() -> Bool {
        guard segments.dropFirst().allSatisfy({ $0.mark == $0.start }) else { return false }
        segments = [Segment(start: 0, end: total, mark: segments[0].mark)]
        return true
    }
}
