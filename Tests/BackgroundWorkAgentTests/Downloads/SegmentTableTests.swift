import BackgroundWorkTransfers
import Testing

@testable import BackgroundWorkAgent

@Suite("The parts of a file")
struct SegmentTableTests {
    private static let mebibyte: Int64 = 1 << 20

    /// Whether the parts cover the file without holes or overlaps.
    private func covers(_ table: SegmentTable) -> Bool {
        SegmentTable(total: table.total, segments: table.segments) != nil
    }

    @Test("a file is cut into parts of about the same size, behind what has come already", arguments: [2, 3, 5, 16])
    func cut(count: Int) {
        var table = SegmentTable(total: 64 * Self.mebibyte + 7, received: 1000)
        table.split(into: count)
        #expect(table.segments.count == count)
        #expect(covers(table))
        #expect(table.received == 1000)
        let sizes = table.segments.map(\.bytesLeft)
        #expect((sizes.max() ?? 0) - (sizes.min() ?? 0) < Int64(count))
    }

    @Test("parts that are too small to be worth a request are not made")
    func small() {
        var small = SegmentTable(total: 2 * SegmentTable.smallestPart - 1, received: 0)
        small.split(into: 8)
        #expect(small.segments.count == 1)
        #expect(small.split() == nil)
        var three = SegmentTable(total: 3 * SegmentTable.smallestPart, received: 0)
        three.split(into: 8)
        #expect(three.segments.count == 3)
        #expect(covers(three))
    }

    @Test("the part that lacks most is halved, and the rest stays where it was")
    func halved() {
        var table = SegmentTable(total: 8 * Self.mebibyte, received: 0)
        table.split(into: 2)
        table.advance(0, to: 3 * Self.mebibyte)
        let fresh = table.split()
        #expect(fresh == 2)
        #expect(table.segments[1] == .init(start: 4 * Self.mebibyte, end: 6 * Self.mebibyte, mark: 4 * Self.mebibyte))
        #expect(table.segments[2] == .init(start: 6 * Self.mebibyte, end: 8 * Self.mebibyte, mark: 6 * Self.mebibyte))
        #expect(covers(table))
    }

    @Test("there are never more parts than the mark file has room for")
    func many() {
        var table = SegmentTable(total: 1 << 40, received: 0)
        while table.split() != nil {}
        #expect(table.segments.count == SegmentTable.maximumCount)
        #expect(covers(table))
    }

    @Test("a mark goes no further than its part")
    func mark() {
        var table = SegmentTable(total: 8 * Self.mebibyte, received: 0)
        table.split(into: 2)
        table.advance(0, to: 5 * Self.mebibyte)
        #expect(table.segments[0].isComplete)
        #expect(table.received == 4 * Self.mebibyte)
        #expect(!table.isComplete)
        table.advance(1, to: 8 * Self.mebibyte)
        #expect(table.isComplete)
        #expect(table.idle(busy: []) == nil)
    }

    @Test("a file must reach as far as the last byte that has come")
    func writtenEnd() {
        var table = SegmentTable(total: 8 * Self.mebibyte, received: 0)
        #expect(table.writtenEnd == 0)
        table.split(into: 2)
        table.advance(0, to: 9)
        #expect(table.writtenEnd == 9)
        table.advance(1, to: table.segments[1].start + 1)
        #expect(table.writtenEnd == table.segments[1].start + 1)
    }

    @Test("a free connection takes the unassigned part with the most missing bytes")
    func idle() {
        var table = SegmentTable(total: 12 * Self.mebibyte, received: 0)
        table.split(into: 3)
        table.advance(1, to: 5 * Self.mebibyte)
        #expect(table.idle(busy: [0]) == 2)
        #expect(table.idle(busy: [0, 2]) == 1)
        #expect(table.idle(busy: [0, 1, 2]) == nil)
    }

    @Test("parts of which nothing has come go back to the first one; others do not")
    func rejoined() {
        var table = SegmentTable(total: 8 * Self.mebibyte, received: 100)
        table.split(into: 4)
        #expect(table.rejoin() == true)
        #expect(table == SegmentTable(total: 8 * Self.mebibyte, received: 100))
        table.split(into: 2)
        table.advance(1, to: table.segments[1].start + 1)
        #expect(table.rejoin() == false)
        #expect(table.segments.count == 2)
    }

    @Test(
        "what was read from disk is taken only if it makes sense",
        arguments: [
            [], [(0, 9, 0)], [(0, 11, 0)], [(1, 10, 1)], [(0, 5, 0), (6, 10, 6)], [(0, 6, 0), (5, 10, 5)],
            [(0, 5, 6), (5, 10, 5)], [(0, 5, -1), (5, 10, 5)], [(0, 0, 0), (0, 10, 0)], [(0, 10, 0), (0, 10, 0)],
            [(0, 5, 0), (5, 4, 5), (4, 10, 4)], [(.min, .max, 0)],
        ] as [[(Int64, Int64, Int64)]])
    func nonsense(parts: [(Int64, Int64, Int64)]) {
        let segments = parts.map { SegmentTable.Segment(start: $0.0, end: $0.1, mark: $0.2) }
        #expect(SegmentTable(total: 10, segments: segments) == nil)
    }

    @Test("parts in whatever order cover the file")
    func anyOrder() {
        let segments = [(5, 10, 7), (0, 5, 5)].map { SegmentTable.Segment(start: $0.0, end: $0.1, mark: $0.2) }
        let table = SegmentTable(total: 10, segments: segments)
        #expect(table?.segments == segments)
        #expect(table?.received == 7)
    }
}
