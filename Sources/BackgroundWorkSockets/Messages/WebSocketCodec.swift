import BackgroundWorkFoundation

/// Puts messages into envelopes, and takes them out.
///
/// ```swift
/// var codec = WebSocketCodec()
/// codec.register(Chat.self)
/// try await socket.send(Chat(text: "hello"), by: codec)
/// for try await received in socket.messages(by: codec) {
///     switch received {
///     case .message(let chat as Chat): print(chat.text)
///     case .message, .unknown, .other: continue
///     }
/// }
/// ```
public struct WebSocketCodec: Sendable {
    /// How an envelope has its payload.
    public enum PayloadForm: Sendable, Hashable {
        /// As JSON: `"payload": {"text": "hello"}`.
        case json
        /// As JSON in UTF-8 in base64: `"payload": "eyJ0ZXh0IjoiaGVsbG8ifQ=="`.
        case base64
    }

    /// In which form payloads are sent and expected.
    public var payloadForm: PayloadForm
    /// Makes the encoder of each message. Dates are strings of ISO 8601 unless you replace it.
    public var makeEncoder: @Sendable () -> JSONEncoder = APICoding.encoder
    /// Makes the decoder of each message. Dates are strings of ISO 8601, with or without fractions of a second.
    public var makeDecoder: @Sendable () -> JSONDecoder = APICoding.decoder
    private var types: [String: any WebSocketMessage.Type] = [:]

    /// A codec that knows no type yet.
    public init(payloadForm: PayloadForm = .json) { self.payloadForm = payloadForm }

    /// Makes a type known. One of the same name is replaced.
    public mutating func register<Message: WebSocketMessage>(_ type: Message.Type) {
        types[Message.messageType] = type
    }

    /// The envelope as text.
    ///
    /// Throws `EncodingError` when the message cannot be encoded.
    public func encode<Message: WebSocketMessage>(_ message: Message) throws -> String {
        let encoder = makeEncoder()
        let bytes =
            switch payloadForm {
            case .json: try encoder.encode(Envelope(type: Message.messageType, payload: message))
            case .base64:
                try encoder.encode(
                    Envelope(
                        type: Message.messageType, payload: try encoder.encode(message).base64EncodedString()))
            }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// What a message is. Text, and bytes that hold the same text, are looked at for an envelope.
    ///
    /// Throws ``WebSocketCodingError`` for an envelope of a known type whose payload is not one.
    public func decode(_ content: WebSocketContent) throws(WebSocketCodingError) -> WebSocketReceived {
        let bytes: Data =
            switch content {
            case .text(let text): Data(text.utf8)
            case .data(let data): data
            }
        guard let name = try? JSONDecoder().decode(TypeName.self, from: bytes).type else { return .other(content) }
        guard let type = types[name] else {
            return .unknown(type: name, text: String(decoding: bytes, as: UTF8.self))
        }
        do {
            return .message(try payload(type, in: bytes))
        } catch let error as WebSocketCodingError {
            throw error
        } catch {
            let words = JSONCoding.words(for: error, in: String(decoding: bytes, as: UTF8.self))
            throw WebSocketCodingError(messageType: name, problem: APIText.line(words, limit: 500))
        }
    }

    private func payload<Message: WebSocketMessage>(_ type: Message.Type, in bytes: Data) throws -> Message {
        let decoder = makeDecoder()
        switch payloadForm {
        case .json: return try decoder.decode(Envelope<Message>.self, from: bytes).payload
        case .base64:
            let text = try decoder.decode(Envelope<String>.self, from: bytes).payload
            guard let payload = Data(base64Encoded: text) else {
                throw WebSocketCodingError(messageType: Message.messageType, problem: "its payload is not base64")
            }
            return try decoder.decode(type, from: payload)
        }
    }
}

/// What any envelope has.
private struct TypeName: Decodable { let type: String }

private struct Envelope<Payload> {
    let type: String
    let payload: Payload
}

extension Envelope: Encodable where Payload: Encodable {}
extension Envelope: Decodable where Payload: Decodable {}
