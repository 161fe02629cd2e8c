import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkSockets

@Suite("permessage-deflate of RFC 7692")
struct DeflateTests {
    private func inflater(_ parameters: DeflateParameters = DeflateParameters()) throws -> MessageInflater {
        try #require(MessageInflater(parameters))
    }

    private func hello(_ frames: [UInt8]...) throws -> [MessageAssembler.Event] {
        try FrameTests.events(frames.flatMap { $0 }, inflater: try inflater())
    }

    @Test("the examples of section 7.2.3 are read")
    func examples() throws {
        let text = MessageAssembler.Event.message(.text("Hello"))
        // 7.2.3.1: one block; in one frame and in two.
        #expect(try hello([0xc1, 0x07, 0xf2, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00]) == [text])
        #expect(try hello([0x41, 0x03, 0xf2, 0x48, 0xcd], [0x80, 0x04, 0xc9, 0xc9, 0x07, 0x00]) == [text])
        // 7.2.3.2: the second message refers to the first one.
        #expect(
            try hello(
                [0xc1, 0x07, 0xf2, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00], [0xc1, 0x05, 0xf2, 0x00, 0x11, 0x00, 0x00])
                == [text, text])
        // 7.2.3.3: a block without compression.
        #expect(
            try hello([0xc1, 0x0b, 0x00, 0x05, 0x00, 0xfa, 0xff, 0x48, 0x65, 0x6c, 0x6c, 0x6f, 0x00]) == [text])
        // 7.2.3.4: a final block, and a message after it.
        #expect(
            try hello(
                [0xc1, 0x08, 0xf3, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00, 0x00],
                [0xc1, 0x07, 0xf2, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00]) == [text, text])
        // 7.2.3.5: two blocks.
        #expect(
            try hello([0xc1, 0x0d, 0xf2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xff, 0xff, 0xca, 0xc9, 0xc9, 0x07, 0x00])
                == [text])
        // 7.2.3.6: an empty message.
        #expect(try hello([0xc1, 0x01, 0x00]) == [.message(.text(""))])
    }

    @Test("without context, a reference to an earlier message is damage")
    func contextOff() throws {
        var parameters = DeflateParameters()
        parameters.keepsServerContext = false
        let bytes: [UInt8] =
            [0xc1, 0x07, 0xf2, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00] + [0xc1, 0x05, 0xf2, 0x00, 0x11, 0x00, 0x00]
        let inflater = try inflater(parameters)
        let fault = #expect(throws: FrameFault.self) { try FrameTests.events(bytes, inflater: inflater) }
        #expect(fault?.closeCode == .invalidData)
    }

    @Test(
        "what is compressed is read again, for each window and both contexts", arguments: [9, 12, 15], [true, false])
    func both(bits: Int, keepsContext: Bool) throws {
        let parameters = DeflateParameters(
            keepsOwnContext: keepsContext, keepsServerContext: keepsContext, ownWindowBits: bits, serverWindowBits: bits
        )
        let deflater = try #require(MessageDeflater(parameters))
        let inflater = try inflater(parameters)
        var generator = SeededGenerator(seed: UInt64(bits))
        var frames: [UInt8] = []
        var expected: [MessageAssembler.Event] = []
        for count in [0, 1, 100, 5000, 70_000] {
            let content = (0..<count).map { _ in UInt8.random(in: 0...(count % 2 == 0 ? 3 : 255), using: &generator) }
            let packed = content.withUnsafeBytes { deflater.deflate($0) }
            frames += RawConnection.frame(0xc2, packed)
            expected.append(.message(.data(Data(content))))
        }
        #expect(try FrameTests.events(frames, cutAt: [1, 3, 200, 3000], inflater: inflater) == expected)
    }

    @Test("a message may not become longer than the limit, and takes no more memory while it is found out")
    func bomb() throws {
        let deflater = try #require(MessageDeflater(DeflateParameters()))
        let packed = [UInt8](repeating: 0, count: 10_000_000).withUnsafeBytes { deflater.deflate($0) }
        #expect(packed.count < 20_000)
        let inflater = try inflater()
        let fault = #expect(throws: FrameFault.self) {
            try FrameTests.events(RawConnection.frame(0xc2, packed), limit: 50_000, inflater: inflater)
        }
        #expect(fault == .tooLong)
    }

    @Test("damaged data, and compressed frames where they may not be, are refused")
    func damage() throws {
        for bytes in [[0xc1, 0x02, 0xff, 0xff], [0xc9, 0x00], [0x41, 0x01, 0x00, 0xc0, 0x00]] as [[UInt8]] {
            #expect(throws: FrameFault.self) { try hello(bytes) }
        }
    }

    @Test("the offer says what is wanted")
    func offer() {
        var compression = WebSocketCompression()
        #expect(DeflateParameters.offer(compression) == "permessage-deflate; client_max_window_bits")
        (compression.keepsOwnContext, compression.keepsServerContext) = (false, false)
        (compression.ownWindowBits, compression.serverWindowBits) = (10, 8)
        #expect(
            DeflateParameters.offer(compression)
                == "permessage-deflate; server_no_context_takeover; client_no_context_takeover; "
                + "server_max_window_bits=8; client_max_window_bits=10")
    }

    @Test("what a server agrees to is followed")
    func agreed() throws {
        let usual = WebSocketCompression()
        #expect(try DeflateParameters.agreed(nil, usual) == nil)
        #expect(try DeflateParameters.agreed("permessage-deflate", usual) == DeflateParameters())
        #expect(
            try DeflateParameters.agreed(
                "permessage-deflate; server_no_context_takeover; client_no_context_takeover;"
                    + " server_max_window_bits=10 ; client_max_window_bits=\"9\"", usual)
                == DeflateParameters(
                    keepsOwnContext: false, keepsServerContext: false, ownWindowBits: 9, serverWindowBits: 10))
        var narrow = usual
        narrow.keepsOwnContext = false
        narrow.ownWindowBits = 9
        #expect(
            try DeflateParameters.agreed("permessage-deflate", narrow)
                == DeflateParameters(keepsOwnContext: false, ownWindowBits: 9))
    }

    @Test(
        "what was not offered is refused",
        arguments: [
            "x-webkit-deflate-frame", "permessage-deflate, permessage-deflate", "permessage-deflate; unknown",
            "permessage-deflate; server_max_window_bits", "permessage-deflate; server_max_window_bits=7",
            "permessage-deflate; server_max_window_bits=16", "permessage-deflate; server_max_window_bits=08",
            "permessage-deflate; client_max_window_bits", "permessage-deflate; server_no_context_takeover=1",
            "permessage-deflate; server_no_context_takeover; server_no_context_takeover", "permessage-deflate;",
        ])
    func refused(answer: String) {
        #expect(throws: FrameFault.self) { try DeflateParameters.agreed(answer, WebSocketCompression()) }
        #expect(throws: FrameFault.self) { try DeflateParameters.agreed("permessage-deflate", nil) }
    }

    @Test("a server that ignores what it was asked for is refused")
    func ignored() {
        var compression = WebSocketCompression()
        compression.keepsServerContext = false
        #expect(throws: FrameFault.self) { try DeflateParameters.agreed("permessage-deflate", compression) }
        compression = WebSocketCompression()
        compression.serverWindowBits = 10
        for answer in ["permessage-deflate", "permessage-deflate; server_max_window_bits=11"] {
            #expect(throws: FrameFault.self) { try DeflateParameters.agreed(answer, compression) }
        }
    }
}
