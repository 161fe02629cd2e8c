import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkSockets

@Suite("Frames of RFC 6455")
struct FrameTests {
    typealias Event = MessageAssembler.Event

    /// What the bytes are, given in these pieces.
    static func events(
        _ bytes: [UInt8], cutAt cuts: [Int] = [], limit: Int = 1 << 20, inflater: MessageInflater? = nil
    ) throws(FrameFault) -> [Event] {
        var parser = FrameParser()
        var assembler = MessageAssembler(limit: limit, inflater: inflater)
        let bounds = ([0] + cuts.sorted() + [bytes.count])
        var events: [Event] = []
        for (start, end) in zip(bounds, bounds.dropFirst()) {
            let piece = Array(bytes[start..<end])
            var used = 0
            while used < piece.count {
                do {
                    used += try piece.withUnsafeBytes {
                        try parser.parse(UnsafeRawBufferPointer(rebasing: $0[used...]), into: &assembler)
                    }
                } catch { throw error as? FrameFault ?? .tooLong }
                events += assembler.takeEvents()
            }
        }
        return events
    }

    /// Section 5.7, without those of a client.
    static let vectors: [([UInt8], [Event])] = [
        ([0x81, 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f], [.message(.text("Hello"))]),
        ([0x01, 0x03, 0x48, 0x65, 0x6c, 0x80, 0x02, 0x6c, 0x6f], [.message(.text("Hello"))]),
        ([0x89, 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f], [.ping(Array("Hello".utf8))]),
        ([0x8a, 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f], [.pong(Array("Hello".utf8))]),
        (
            [0x82, 0x7e, 0x01, 0x00] + [UInt8](repeating: 7, count: 256),
            [.message(.data(Data(repeating: 7, count: 256)))]
        ),
        (
            [0x82, 0x7f, 0, 0, 0, 0, 0, 1, 0, 0] + [UInt8](repeating: 7, count: 65_536),
            [.message(.data(Data(repeating: 7, count: 65_536)))]
        ),
    ]

    @Test("the examples of section 5.7 are read", arguments: vectors.indices)
    func examples(index: Int) throws {
        #expect(try Self.events(Self.vectors[index].0) == Self.vectors[index].1)
    }

    @Test("the example of a masked frame is written")
    func masked() {
        var bytes: [UInt8] = []
        Array("Hello".utf8).withUnsafeBytes { FrameWriter.append(.text, $0, mask: 0x37fa_213d, to: &bytes) }
        #expect(bytes == [0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58])
    }

    @Test("masks apply byte by byte at every length, and twice are none")
    func masks() {
        for count in 0..<40 {
            let plain = (0..<count).map { UInt8($0) }
            var masked = plain
            masked.withUnsafeMutableBytes { FrameWriter.apply(0x0102_0304, to: $0) }
            #expect(masked == plain.enumerated().map { $1 ^ [1, 2, 3, 4][$0 & 3] })
            masked.withUnsafeMutableBytes { FrameWriter.apply(0x0102_0304, to: $0) }
            #expect(masked == plain)
        }
    }

    @Test("wherever the bytes are cut, the messages are the same", arguments: 0..<50)
    func splits(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var bytes: [UInt8] = []
        var expected: [Event] = []
        for _ in 0..<8 {
            let text = String(
                (0..<Int.random(in: 0...40, using: &generator)).map { _ in "aä€𝄞".randomElement(using: &generator)! })
            var rest = Array(text.utf8)
            var opcode: UInt8 = 1
            while true {
                let count = Int.random(in: 0...rest.count, using: &generator)
                let isLast = count == rest.count
                bytes += RawConnection.frame((isLast ? 0x80 : 0) | opcode, Array(rest.prefix(count)))
                rest.removeFirst(count)
                if isLast { break }
                opcode = 0
                if Bool.random(using: &generator) {
                    bytes += RawConnection.frame(0x89, [1, 2])
                    expected.append(.ping([1, 2]))
                }
            }
            expected.append(.message(.text(text)))
        }
        let cuts = (0..<Int.random(in: 0...30, using: &generator)).map { _ in
            Int.random(in: 0...bytes.count, using: &generator)
        }
        #expect(try Self.events(bytes, cutAt: cuts) == expected)
    }

    @Test(
        "what no server may send is a violation",
        arguments: [
            // Masked; reserved bits; reserved opcodes.
            [0x81, 0x81, 0, 0, 0, 0, 0x41], [0xc1, 0x00], [0xa1, 0x00], [0x91, 0x00], [0x83, 0x00], [0x8b, 0x00],
            [0x8f, 0x00],
            // Control frames in fragments, and a long one.
            [0x09, 0x00], [0x08, 0x00], [0x89, 0x7e, 0, 126],
            // What continues nothing, and what begins within another one.
            [0x80, 0x00], [0x00, 0x00], [0x01, 0x00, 0x81, 0x00],
            // Lengths that are not the shortest, and one with its highest bit set.
            [0x82, 0x7e, 0, 125], [0x82, 0x7f, 0, 0, 0, 0, 0, 0, 0xff, 0xff], [0x82, 0x7f, 0x80, 0, 0, 0, 0, 0, 0, 0],
            // Close codes: half of one, 1005, 999 and 2999.
            [0x88, 0x01, 0x03], [0x88, 0x02, 0x03, 0xed], [0x88, 0x02, 0x03, 0xe7], [0x88, 0x02, 0x0b, 0xb7],
        ] as [[UInt8]])
    func violations(bytes: [UInt8]) throws {
        let fault = #expect(throws: FrameFault.self) { try Self.events(bytes) }
        #expect(fault?.closeCode == .protocolError)
    }

    @Test("close frames have a code and a reason, or neither")
    func closes() throws {
        #expect(try Self.events([0x88, 0x00]) == [.close(.noStatus, "")])
        #expect(try Self.events([0x88, 0x04, 0x03, 0xe8, 0x6f, 0x6b]) == [.close(.normal, "ok")])
        #expect(try Self.events([0x88, 0x02, 0x0f, 0xa0]) == [.close(.init(rawValue: 4000), "")])
        #expect(throws: FrameFault.self) { try Self.events([0x88, 0x03, 0x03, 0xe8, 0xff]) }
    }

    @Test("nothing after a close frame is read")
    func afterClose() throws {
        var parser = FrameParser()
        var assembler = MessageAssembler(limit: 10)
        let bytes: [UInt8] = [0x88, 0x00, 0x83, 0x00]
        let used = try bytes.withUnsafeBytes { try parser.parse($0, into: &assembler) }
        #expect(used == 2)
    }

    @Test(
        "text is judged as UTF-8 across fragments and pieces, as the standard library judges the whole",
        arguments: 0..<300)
    func utf8(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let parts: [[UInt8]] = [
            [0x41], [0xc3, 0xa4], [0xe2, 0x82, 0xac], [0xf0, 0x9d, 0x84, 0x9e], [0xed, 0x9f, 0xbf], [0xee, 0x80, 0x80],
            [0xf4, 0x8f, 0xbf, 0xbf], [0xed, 0xa0, 0x80], [0xc0, 0x80], [0xe0, 0x80, 0x80], [0xf4, 0x90, 0x80, 0x80],
            [0x80], [0xff], [0xe2, 0x82], [0xf0, 0x80, 0x80, 0x80],
        ]
        let isBad = Bool.random(using: &generator)
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 0...20, using: &generator) {
            bytes += parts[Int.random(in: 0..<(isBad ? parts.count : 7), using: &generator)]
        }
        var check = UTF8Check()
        var isValid = true
        var start = 0
        while start < bytes.count {
            let end = Int.random(in: start + 1...bytes.count, using: &generator)
            isValid = bytes[start..<end].withUnsafeBytes { check.take($0) } && isValid
            start = end
        }
        #expect((isValid && check.isComplete) == (String(validating: bytes, as: UTF8.self) != nil), "\(bytes)")
    }

    @Test("bad text is refused as soon as it is seen, and text that is cut at its end")
    func badText() {
        #expect(throws: FrameFault.self) { try Self.events([0x01, 0x02, 0x41, 0xff]) }
        #expect(throws: FrameFault.self) { try Self.events([0x81, 0x01, 0xc3]) }
        #expect(throws: FrameFault.self) { try Self.events([0x01, 0x01, 0xc3, 0x80, 0x01, 0x41]) }
        #expect(throws: Never.self) { try Self.events([0x01, 0x01, 0xc3, 0x80, 0x01, 0xa4]) }
    }

    @Test("a message that is too long is refused by its frame's head, or when its fragments are")
    func limit() {
        for bytes in [[0x82, 0x0b], [0x02, 0x06] + [0, 0, 0, 0, 0, 0] + [0x80, 0x05]] as [[UInt8]] {
            let fault = #expect(throws: FrameFault.self) { try Self.events(bytes, limit: 10) }
            #expect(fault == .tooLong)
        }
        #expect(throws: Never.self) { try Self.events([0x82, 0x0a] + [UInt8](repeating: 0, count: 10), limit: 10) }
        // A length that no memory has is refused, and nothing is reserved for it.
        #expect(throws: FrameFault.self) {
            try Self.events([0x82, 0x7f, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])
        }
    }
}
