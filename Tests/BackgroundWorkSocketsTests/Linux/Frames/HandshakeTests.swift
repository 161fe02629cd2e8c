import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkSockets

@Suite("The opening handshake of RFC 6455")
struct HandshakeTests {
    private func prepared(_ request: WebSocketRequest) throws -> PreparedSocket {
        var configuration = WebSocketTransport.Configuration()
        configuration.securityPolicy = .unrestricted
        return try PreparedSocket(request, configuration)
    }

    @Test("the accept of section 1.3")
    func accept() {
        #expect(HandshakeRequest.accept(for: "dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    }

    @Test("a request has what the standard wants, and the caller's headers")
    func request() throws {
        var request = WebSocketRequest(
            "wss://Example.com:8443/a%20b?c=d", headers: ["Origin": "https://example.com"],
            subprotocols: ["x", "y"])
        request.authentication = .basic(user: "u", password: "p")
        request.compression = WebSocketCompression()
        let text = String(
            decoding: try HandshakeRequest(try prepared(request), nonce: Array(0..<16)).bytes, as: UTF8.self)
        #expect(
            text.components(separatedBy: "\r\n") == [
                "GET /a%20b?c=d HTTP/1.1", "Host: example.com:8443", "Upgrade: websocket", "Connection: Upgrade",
                "Sec-WebSocket-Key: AAECAwQFBgcICQoLDA0ODw==", "Sec-WebSocket-Version: 13",
                "Sec-WebSocket-Protocol: x, y", "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits",
                "Origin: https://example.com", "Authorization: Basic dTpw", "User-Agent: BackgroundWork/1", "", "",
            ])
    }

    @Test(
        "host and target as they are sent",
        arguments: [
            ("ws://example.com", "example.com", "/"), ("ws://example.com:80/", "example.com", "/"),
            ("wss://example.com:443?a=b", "example.com", "/?a=b"), ("ws://[::1]:99/x", "[::1]:99", "/x"),
            ("ws://[fe80::1%25eth0]/", "[fe80::1]", "/"),
            ("ws://münchen.example/ä", "xn--mnchen-3ya.example", "/%C3%A4"),
        ])
    func destination(url: String, host: String, target: String) throws {
        let address = try #require(PreparedSocket.httpAddress(of: url))
        let destination = HandshakeRequest.destination(of: address)
        #expect(destination.host == host && destination.target == target)
    }

    private func response(_ text: String, cutAt cut: Int) throws -> (HandshakeResponse, left: Int) {
        var response = HandshakeResponse()
        let bytes = Array(text.utf8)
        var used = try Array(bytes[..<cut]).withUnsafeBytes { try response.take($0) }
        if used == cut { used += try Array(bytes[cut...]).withUnsafeBytes { try response.take($0) } }
        return (response, bytes.count - used)
    }

    private let good =
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: WebSocket\r\nConnection: keep-alive, upgrade\r\n"
        + "Sec-WebSocket-Accept: A\r\nSec-WebSocket-Protocol: y\r\n"

    @Test("an answer is read wherever it is cut, what follows it is left, and interim ones are passed over")
    func answer() throws {
        let socket = try prepared(WebSocketRequest("ws://example.com", subprotocols: ["x", "y"]))
        let text = "HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n" + good + "\r\nAB"
        for cut in 0...text.utf8.count {
            let (response, left) = try response(text, cutAt: cut)
            #expect(response.hasHead && (left == 2 || cut > text.utf8.count - 2))
            let (opening, deflate) = try response.opening(socket, accept: "A")
            #expect(opening.subprotocol == "y" && deflate == nil)
            #expect(opening.headers["Link"] == nil)
        }
    }

    @Test(
        "what does not agree is refused",
        arguments: [
            ("Upgrade: WebSocket\r\n", ""), ("Upgrade: WebSocket", "Upgrade: h2c"),
            ("Connection: keep-alive, upgrade\r\n", "Connection: keep-alive\r\n"), ("Accept: A", "Accept: B"),
            ("Sec-WebSocket-Accept: A\r\n", ""), ("Protocol: y", "Protocol: z"), ("Protocol: y", "Protocol: x, y"),
            ("Protocol: y", "Extensions: permessage-deflate"),
            ("Sec-WebSocket-Protocol: y", "Sec-WebSocket-Accept: A"),
        ])
    func disagreement(part: String, other: String) throws {
        let socket = try prepared(WebSocketRequest("ws://example.com", subprotocols: ["x", "y"]))
        let (response, _) = try response(good.replacingOccurrences(of: part, with: other) + "\r\n", cutAt: 0)
        #expect(throws: FrameFault.self) { try response.opening(socket, accept: "A") }
    }

    @Test(
        "what is not HTTP/1.1, or never ends, is refused",
        arguments: ["SSH-2.0\r\n", "HTTP/2 200\r\n", "HTTP/1.1 9x9 a\r\n"])
    func nonsense(text: String) {
        #expect(throws: FrameFault.self) { try response(text, cutAt: 0) }
        #expect(throws: FrameFault.self) {
            try response("HTTP/1.1 101 a\r\n" + String(repeating: "A: b\r\n", count: 20_000), cutAt: 5)
        }
    }

    @Test("of another answer's body a bounded piece is kept")
    func body() throws {
        let text = "HTTP/1.1 403 Forbidden\r\nContent-Length: 10000\r\n\r\n" + String(repeating: "n", count: 10_000)
        let (response, _) = try response(text, cutAt: 60)
        #expect(response.status == 403 && response.hasBody)
        #expect(response.rejection(now: WallTime(milliseconds: 0)).body == String(repeating: "n", count: 4096))
    }
}
