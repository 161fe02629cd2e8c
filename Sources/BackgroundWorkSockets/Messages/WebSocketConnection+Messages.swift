extension WebSocketConnection {
    /// Sends a message in its envelope, as text.
    ///
    /// Throws as ``send(_:)-(String)`` does, and `EncodingError`.
    public func send(_ message: some WebSocketMessage, by codec: WebSocketCodec) async throws {
        try await send(codec.encode(message))
    }

    /// The messages, decoded; for one loop, as ``messages``. Types that the codec does not know are delivered as such.
    ///
    /// An envelope whose payload is not of its type is thrown as a ``WebSocketCodingError``, which ends the loop, not the
    /// connection.
    public func messages(by codec: WebSocketCodec) -> AsyncThrowingStream<WebSocketReceived, any Error> {
        let end = LoopEnd(self)
        return AsyncThrowingStream {
            do {
                return try codec.decode(try await end.connection.receive())
            } catch let error as WebSocketError where error.isExpectedEnd {
                return nil
            }
        }
    }
}
