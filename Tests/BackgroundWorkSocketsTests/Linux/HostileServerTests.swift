import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkSockets

/// What no correct server does.
@Suite("WebSockets with servers that misbehave")
struct HostileServerTests {
    private let clock = ManualClock()

    private func connect(
        _ url: String, _ change: (inout WebSocketRequest) -> Void = { _ in }
    ) async throws -> WebSocketConnection {
        var request = WebSocketRequest(url)
        change(&request)
        return try await WebSocketTransport(configuration: .local(clock)).connect(request)
    }

    @Test(
        "a violation closes the connection with the code of its kind",
        arguments: [
            ([0x81, 0x81, 0, 0, 0, 0, 0x41], 1002), ([0xc1, 0x00], 1002), ([0x83, 0x00], 1002), ([0x09, 0x00], 1002),
            ([0x01, 0x01, 0xc3, 0x80, 0x01, 0x28], 1007), ([0x82, 0x7e, 0xff, 0xff], 1009), ([0x88, 0x01, 0x00], 1002),
        ] as [([UInt8], Int)])
    func violation(bytes: [UInt8], code: Int) async throws {
        let frames = Recorder<RawConnection.Frame?>()
        let server = try RawServer { connection in
            connection.accept()
            connection.send(bytes)
            frames.add(connection.readFrame())
        }
        let socket = try await connect(server.url) { $0.maximumMessageBytes = 1000 }
        let error = await #expect(throws: WebSocketError.self) { try await socket.receive() }
        #expect(error?.kind == (code == 1009 ? .tooLong : .protocolViolation))
        #expect(error?.message.hasPrefix("WebSocket ws://127.0.0.1:") == true)
        await frames.wait { !$0.isEmpty }
        #expect(frames.values[0]?.opcode == 8)
        #expect(frames.values[0]?.payload == [UInt8(code >> 8), UInt8(code & 255)])
        #expect(socket.closeCode == .abnormal)
    }

    @Test(
        "an answer that is no agreement fails",
        arguments: [
            "HTTP/1.1 101 a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: AAAA\r\n\r\n",
            "HTTP/1.1 101 a\r\n\r\n", "SSH-2.0-OpenSSH\r\n\r\n", "HTTP/1.1 101 a\r\nUpgrade", "",
        ])
    func badAnswer(text: String) async throws {
        let server = try RawServer { connection in
            _ = connection.readHead()
            connection.send(text)
        }
        let error = await #expect(throws: WebSocketError.self) { try await connect(server.url) }
        #expect(error?.kind == .protocolViolation || error?.kind == .network)
    }

    @Test("a message that is cut in the middle is an end without a close frame")
    func cut() async throws {
        let server = try RawServer { connection in
            connection.accept()
            connection.send(RawConnection.frame(0x81, Array("whole".utf8)) + [0x81, 0x05, 0x41])
        }
        let socket = try await connect(server.url)
        #expect(try await socket.receive() == .text("whole"))
        let error = await #expect(throws: WebSocketError.self) { try await socket.receive() }
        #expect(error?.kind == .network && error?.isRetryable == true)
    }

    @Test("frames that come with the answer are not lost")
    func early() async throws {
        let server = try RawServer { connection in
            let head = connection.readHead() ?? ""
            let accept = RawConnection.accept(for: head)
            let answer =
                "HTTP/1.1 101 a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: \(accept)\r\n\r\n"
            connection.send(Array(answer.utf8) + RawConnection.frame(0x81, [0x41]) + RawConnection.frame(0x88, []))
            connection.drain()
        }
        let socket = try await connect(server.url)
        #expect(try await socket.receive() == .text("A"))
        await #expect(throws: WebSocketError.self) { try await socket.receive() }
        #expect(socket.closeCode == .noStatus)
    }

    @Test("a server that accepts the connection and is silent is waited for as long as was said")
    func silence() async throws {
        let read = Recorder<String?>()
        let server = try RawServer { connection in
            read.add(connection.readHead())
            connection.drain()
        }
        let url = server.url
        let task = Task { try await connect(url) { $0.timeouts.connect = .seconds(40) } }
        await read.wait { !$0.isEmpty }
        await clock.untilSleeping(atLeast: 1)
        clock.advance(by: .seconds(40))
        let error = await #expect(throws: WebSocketError.self) { try await task.value }
        #expect(error?.kind == .timeout && error?.isRetryable == true)
    }

    @Test("a refusal whose body does not end is one all the same")
    func stalledRefusal() async throws {
        let sent = Recorder<Bool>()
        let server = try RawServer { connection in
            _ = connection.readHead()
            connection.send("HTTP/1.1 401 Unauthorized\r\nContent-Length: 100\r\n\r\nno!")
            sent.add(true)
            connection.drain()
        }
        let url = server.url
        var rejection: WebSocketRejection?
        // The limit may be over before the client has read what was sent; then once more.
        let isRejected = try await comesTrue {
            let number = sent.values.count + 1
            let task = Task { try await connect(url) }
            await sent.wait { $0.count == number }
            for _ in 0..<number { try await Task.sleep(for: .milliseconds(1)) }
            await clock.untilSleeping(atLeast: 1)
            clock.advance(by: .seconds(40))
            do { _ = try await task.value } catch let error as WebSocketError { rejection = error.rejection }
            return rejection != nil
        }
        #expect(isRejected && rejection?.status == 401 && rejection?.body == "no!")
    }

    @Test("the reason of a close frame is shown without control characters and without the token")
    func reason() async throws {
        let server = try RawServer { connection in
            connection.accept()
            connection.send(RawConnection.frame(0x88, FrameWriter.closePayload(.normal, "a\u{1b}[2J\nb secret-123")))
        }
        let socket = try await connect(server.url) { $0.authentication = .bearer(token: "secret-123") }
        await #expect(throws: WebSocketError.self) { try await socket.receive() }
        let reason = try #require(socket.closeReason)
        #expect(reason.hasPrefix("a") && !reason.contains("secret-123"), "\(reason)")
        #expect(!reason.unicodeScalars.contains { $0.value < 32 }, "\(reason)")
    }

    @Test("a connection shows nothing of its request")
    func dumped() async throws {
        let server = try RawServer { connection in
            connection.accept()
            connection.drain()
        }
        let socket = try await connect(server.url + "a?token=secret-123")
        var shown = ""
        dump(socket, to: &shown)
        #expect(!shown.contains("secret-123"))
    }

    @Test("the cancellation of a task that connects ends its connection")
    func cancelledConnect() async throws {
        let events = Recorder<String>()
        let server = try RawServer { connection in
            _ = connection.readHead()
            events.add("asked")
            connection.drain()
            events.add("ended")
        }
        let url = server.url
        let task = Task { try await connect(url) }
        await events.wait { $0 == ["asked"] }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        await events.wait { $0.last == "ended" }
    }

    @Test("a ping between the fragments of a message is answered with its payload")
    func pingBetween() async throws {
        let frames = Recorder<RawConnection.Frame?>()
        let server = try RawServer { connection in
            connection.accept()
            connection.send(RawConnection.frame(0x01, Array("He".utf8)) + RawConnection.frame(0x89, [7, 8]))
            frames.add(connection.readFrame())
            connection.send(RawConnection.frame(0x80, Array("llo".utf8)))
            connection.drain()
        }
        let socket = try await connect(server.url)
        #expect(try await socket.receive() == .text("Hello"))
        #expect(frames.values == [RawConnection.Frame(first: 0x8a, payload: [7, 8])])
    }

    @Test("a long message goes in fragments, and a ping is answered between them")
    func fragments() async throws {
        let frames = Recorder<[RawConnection.Frame]>()
        let server = try RawServer { connection in
            connection.accept()
            var all: [RawConnection.Frame] = []
            while let frame = connection.readFrame() {
                all.append(frame)
                if frame.first & 0x80 != 0, frame.opcode < 8 { break }
            }
            frames.add(all)
            connection.drain()
        }
        let socket = try await connect(server.url)
        try await socket.send(Data(repeating: 7, count: 200_000))
        await frames.wait { !$0.isEmpty }
        #expect(frames.values[0].map(\.first) == [0x02, 0x00, 0x00, 0x80])
        #expect(frames.values[0].map(\.payload.count) == [65_536, 65_536, 65_536, 3392])
    }

    @Test("masks differ from frame to frame")
    func masks() async throws {
        let raw = Recorder<[UInt8]?>()
        let server = try RawServer { connection in
            connection.accept()
            for _ in 0..<2 { raw.add(connection.read(7)) }
            connection.drain()
        }
        let socket = try await connect(server.url)
        for _ in 0..<2 { try await socket.send(Data([0])) }
        await raw.wait { $0.count == 2 }
        #expect(raw.values[0]?.prefix(2) == [0x82, 0x81])
        #expect(raw.values[0]?[2..<6] != raw.values[1]?[2..<6])
    }

    @Test("what is not read waits in the sockets, not in memory")
    func backPressure() async throws {
        let sent = Recorder<Int>()
        let server = try RawServer { connection in
            connection.accept()
            let frame = RawConnection.frame(0x82, [UInt8](repeating: 1, count: 100_000))
            for number in 0..<2000 {
                guard connection.send(frame) else { return }
                sent.add(number)
            }
            connection.send(RawConnection.frame(0x88, []))
            connection.drain()
        }
        let socket = try await connect(server.url)
        // As soon as one is here, the server can send no more than fits into the buffers.
        #expect(try await socket.receive().byteCount == 100_000)
        #expect(sent.values.count < 1000)
        var received = 1
        for try await message in socket.messages {
            #expect(message.byteCount == 100_000)
            received += 1
        }
        #expect(received == 2000)
    }

    @Test("a name that resolves to an address that the policy forbids is not dialed")
    func forbiddenName() async throws {
        let wasAsked = Recorder<Bool>()
        let server = try RawServer { _ in wasAsked.add(true) }
        var request = WebSocketRequest("ws://localhost:\(server.port)/?token=hidden")
        request.authentication = .bearer(token: "hidden-token")
        let error = await #expect(throws: WebSocketError.self) { try await WebSocketTransport().connect(request) }
        #expect(error?.kind == .refused && error?.message.contains("hidden") == false)
        #expect(wasAsked.values.isEmpty)
    }

    @Test("nobody listens: an error that may be tried again")
    func nobody() async throws {
        let port = try { try RawServer { _ in }.port }()
        let error = await #expect(throws: WebSocketError.self) { try await connect("ws://127.0.0.1:\(port)/") }
        #expect(error?.kind == .network && error?.isRetryable == true)
    }
}
