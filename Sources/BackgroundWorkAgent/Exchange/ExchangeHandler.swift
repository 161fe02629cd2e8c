#if os(Linux)
import CBackgroundWorkCurl

/// Whose bytes an exchange moves. Called on the network loop's thread, from inside libcurl: nothing here may begin or end
/// an exchange.
protocol ExchangeHandler: AnyObject {
    /// A piece of the final response's body.
    func receive(_ bytes: UnsafeRawBufferPointer, of exchange: Exchange) -> BodyAnswer
    /// Fills `space` with the next bytes of the request's body.
    func supply(_ space: UnsafeMutableRawBufferPointer, to exchange: Exchange) -> BodySupply
    /// The next bytes asked for are those from `offset` of the request's body on. Whether that can be done.
    func rewind(to offset: Int64, for exchange: Exchange) -> Bool
}

extension ExchangeHandler {
    func supply(_ space: UnsafeMutableRawBufferPointer, to exchange: Exchange) -> BodySupply { .breakOff }
    func rewind(to offset: Int64, for exchange: Exchange) -> Bool { false }
}

/// Who has begun an exchange, and hears what becomes of it. Called on the network loop's thread, never from inside
/// libcurl, so that exchanges may be begun and ended here.
protocol ExchangeOwner: AnyObject {
    /// Something has moved since the last turn of the loop.
    func afterTurn()
    /// An exchange has ended; `CURLE_ABORTED_BY_CALLBACK` when the agent itself has ended it.
    func ended(_ exchange: Exchange, code: CURLcode)
}
#endif
