import CBackgroundWorkCurl

/// Receives and supplies the bytes of an exchange. Called on the network loop's thread, from inside libcurl:
/// implementations must not start or end an exchange.
package protocol ExchangeHandler: AnyObject {
    /// The head of a response is complete; it may not be the final one.
    func receivedHead(of exchange: Exchange)
    /// A piece of the final response's body.
    func receive(_ bytes: UnsafeRawBufferPointer, of exchange: Exchange) -> BodyAnswer
    /// Fills `space` with the next bytes of the request's body.
    func supply(_ space: UnsafeMutableRawBufferPointer, to exchange: Exchange) -> BodySupply
    /// Continues the request's body at `offset`. Returns whether that is possible.
    func rewind(to offset: Int64, for exchange: Exchange) -> Bool
}

extension ExchangeHandler {
    package func receivedHead(of exchange: Exchange) {}
    package func supply(_ space: UnsafeMutableRawBufferPointer, to exchange: Exchange) -> BodySupply { .breakOff }
    package func rewind(to offset: Int64, for exchange: Exchange) -> Bool { false }
}

/// The owner of an exchange, which is notified of its progress and end. Called on the network loop's thread, never from
/// inside libcurl, so exchanges may be started and ended here.
package protocol ExchangeOwner: AnyObject {
    /// Bytes were moved since the last iteration of the loop.
    func afterTurn()
    /// An exchange has ended; `CURLE_ABORTED_BY_CALLBACK` when the agent itself has ended it.
    func ended(_ exchange: Exchange, code: CURLcode)
}

/// The answer to libcurl for a piece of a body.
package enum BodyAnswer {
    case taken
    /// Keep the piece, and pass it again when the exchange continues.
    case wait
    /// End the exchange.
    case breakOff
}

/// The answer to libcurl when it asks for the next bytes of a request's body.
package enum BodySupply: Equatable {
    /// The number of bytes copied into its buffer; 0 at the body's end.
    case bytes(Int)
    /// Ask again when the exchange continues.
    case wait
    /// End the exchange.
    case breakOff
}
