import Testing

@testable import BackgroundWorkAgent

@Suite("Reading ahead of an upload")
struct ReadAheadTests {
    /// A disk that responds when the test says so.
    private final class Disk {
        struct Question {
            var range: Range<Int64>
            var isLast: Bool
            var buffer: PieceBuffer
            var answer: (Result<Void, any Error>) -> Void
        }

        var questions: [Question] = []
        var asked: [Range<Int64>] = []
        var arrivals = 0

        func ask(
            _ range: Range<Int64>, _ isLast: Bool, _ buffer: PieceBuffer,
            _ then: @escaping (Result<Void, any Error>) -> Void
        ) {
            asked.append(range)
            questions.append(Question(range: range, isLast: isLast, buffer: buffer, answer: then))
        }

        func answer() {
            let question = questions.removeFirst()
            question.buffer.fill(question.range.count) {
                $0.copyBytes(from: question.range.map { UInt8(truncatingIfNeeded: $0) })
            }
            question.answer(.success(()))
        }

        func fail() { questions.removeFirst().answer(.failure(Broken())) }
    }

    private struct Broken: Error {}

    private func readAhead(_ disk: Disk, _ range: Range<Int64>) -> ReadAhead {
        ReadAhead(range, pieceBytes: 10, read: disk.ask, arrived: { disk.arrivals += 1 })
    }

    private func take(_ count: Int, at offset: Int64, _ file: ReadAhead) throws -> [UInt8]? {
        var space = [UInt8](repeating: 0, count: count)
        guard let taken = try space.withUnsafeMutableBytes({ try file.take(into: $0, at: offset) }) else { return nil }
        return Array(space[..<taken])
    }

    @Test("while the disk does not respond no thread waits, and the caller is notified when it has")
    func silent() throws {
        let disk = Disk()
        let file = readAhead(disk, 5..<35)
        #expect(try take(4, at: 5, file) == nil)
        #expect(try take(4, at: 5, file) == nil)
        #expect(disk.asked == [5..<15])
        #expect(disk.arrivals == 0)
        disk.answer()
        #expect(disk.arrivals == 1)
        #expect(try take(4, at: 5, file) == [5, 6, 7, 8])
        #expect(try take(40, at: 9, file) == Array(9..<15), "no more than the piece has")
        #expect(try take(4, at: 15, file) == nil)
        disk.answer()
        #expect(disk.arrivals == 2)
    }

    @Test("one piece is handed out, one is ready, and no more are read")
    func bounded() throws {
        let disk = Disk()
        let file = readAhead(disk, 0..<100)
        _ = try take(1, at: 0, file)
        while !disk.questions.isEmpty { disk.answer() }
        #expect(disk.asked == [0..<10, 10..<20])
        #expect(disk.arrivals == 1, "told once, when it was waited for")
        #expect(try take(9, at: 0, file)?.count == 9)
        #expect(disk.asked.count == 2)
        #expect(try take(9, at: 9, file) == [9])
        #expect(disk.asked.last == 20..<30)
        #expect(disk.asked.count == 3)
    }

    @Test("the last piece is asked for as such, and nothing after it")
    func last() throws {
        let disk = Disk()
        let file = readAhead(disk, 0..<15)
        _ = try take(1, at: 0, file)
        #expect(disk.questions.map(\.isLast) == [false])
        disk.answer()
        #expect(disk.questions.map(\.isLast) == [true])
        disk.answer()
        #expect(try take(20, at: 0, file)?.count == 10)
        #expect(try take(20, at: 10, file) == [10, 11, 12, 13, 14])
        #expect(disk.questions.isEmpty)
    }

    @Test("a rewind starts again, and a pending read for the previous position is not used for it")
    func rewind() throws {
        let disk = Disk()
        let file = readAhead(disk, 0..<100)
        _ = try take(1, at: 0, file)
        disk.answer()
        #expect(try take(10, at: 0, file)?.count == 10)
        // The piece from 10 on is being read.
        #expect(try take(10, at: 3, file) == nil)
        disk.answer()
        #expect(disk.arrivals == 1)
        #expect(try take(10, at: 3, file) == nil)
        #expect(disk.asked.last == 3..<13)
        disk.answer()
        #expect(disk.arrivals == 2)
        #expect(try take(10, at: 3, file) == Array(3..<13))
        // Within what is there.
        disk.answer()
        #expect(try take(2, at: 15, file) == [15, 16])
        #expect(try take(2, at: 13, file) == [13, 14])
    }

    @Test("a failure comes after what was read before it, and a rewind tries once more")
    func failure() throws {
        let disk = Disk()
        let file = readAhead(disk, 0..<100)
        _ = try take(1, at: 0, file)
        disk.answer()
        disk.fail()
        #expect(try take(10, at: 0, file)?.count == 10)
        #expect(throws: Broken.self) { try take(10, at: 10, file) }
        #expect(throws: Broken.self) { try take(10, at: 10, file) }
        #expect(try take(10, at: 0, file) == nil)
        disk.answer()
        #expect(try take(10, at: 0, file)?.count == 10)
    }
}
