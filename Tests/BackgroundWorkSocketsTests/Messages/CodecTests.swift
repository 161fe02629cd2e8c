import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkSockets

@Suite("Typed messages")
struct CodecTests {
    struct Chat: WebSocketMessage, Equatable {
        static let messageType = "chat"
        var text: String
        var at: Date?
    }

    struct Count: WebSocketMessage, Equatable {
        static let messageType = "count"
        let value: Int

        init(_ value: Int) { self.value = value }
        init(from decoder: any Decoder) throws { value = try decoder.singleValueContainer().decode(Int.self) }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(value)
        }
    }

    private func codec(_ form: WebSocketCodec.PayloadForm = .json) -> WebSocketCodec {
        var codec = WebSocketCodec(payloadForm: form)
        codec.register(Chat.self)
        codec.register(Count.self)
        return codec
    }

    @Test("messages come back as they were, in both forms", arguments: [WebSocketCodec.PayloadForm.json, .base64])
    func roundTrip(form: WebSocketCodec.PayloadForm) throws {
        let codec = codec(form)
        let chat = Chat(text: "hé \"\n", at: Date(timeIntervalSince1970: 1_800_000_000))
        guard case .message(let one as Chat) = try codec.decode(.text(codec.encode(chat))),
            case .message(let two as Count) = try codec.decode(.data(Data(codec.encode(Count(7)).utf8)))
        else {
            Issue.record("another type")
            return
        }
        #expect(one == chat && two == Count(7))
    }

    @Test("the envelope is what peers expect")
    func envelope() throws {
        let json = try JSONSerialization.jsonObject(with: Data(codec().encode(Chat(text: "a")).utf8)) as? NSDictionary
        #expect(json == ["type": "chat", "payload": ["text": "a"]] as NSDictionary)
        let packed = try JSONSerialization.jsonObject(with: Data(codec(.base64).encode(Count(7)).utf8)) as? NSDictionary
        #expect(packed == ["type": "count", "payload": "Nw=="] as NSDictionary)
    }

    @Test("a type that is not known is delivered as it came, and so is what is no envelope")
    func unknown() throws {
        let text = #"{"payload": {"a": 1.50}, "type": "newer", "more": true}"#
        guard case .unknown("newer", text) = try codec().decode(.text(text)) else { return #expect(Bool(false)) }
        for content in [
            WebSocketContent.text("hello"), .text("[]"), .text(#"{"type": 7}"#), .data(Data([0xff, 0])),
        ] {
            guard case .other(content) = try codec().decode(content) else { return #expect(Bool(false)) }
        }
    }

    @Test(
        "a payload of another type is an error that names the field and nothing of its value",
        arguments: [
            #"{"type": "chat", "payload": {"text": 41414141}}"#, #"{"type": "chat"}"#,
            #"{"type": "count", "payload": {}}"#,
        ])
    func mismatch(text: String) throws {
        let error = #expect(throws: WebSocketCodingError.self) { try codec().decode(.text(text)) }
        #expect(error?.description.contains("41414141") == false)
        #expect(throws: WebSocketCodingError.self) {
            try codec(.base64).decode(.text(#"{"type": "chat", "payload": "???"}"#))
        }
    }
}

@Suite("What a WebSocket shows of itself")
struct ShownTests {
    @Test("descriptions and mirrors have no secret")
    func secrets() {
        var request = WebSocketRequest(
            "wss://user:password-x@example.com/a?token=secret-1", headers: ["X-Api-Key": "secret-2"])
        request.authentication = .bearer(token: "secret-3")
        var shown = "\(request) \(String(reflecting: request))"
        dump(request, to: &shown)
        for secret in ["password-x", "secret-1", "secret-2", "secret-3"] {
            #expect(!shown.contains(secret), "\(shown)")
        }
        #expect("\(request)" == "WebSocket wss://example.com/a?…")
    }

    @Test("which codes may be sent")
    func codes() {
        let sendable = (0...5000).filter { WebSocketCloseCode(rawValue: $0).isSendable }
        #expect(sendable == Array(1000...1003) + Array(1007...1014) + Array(3000...4999))
    }
}
