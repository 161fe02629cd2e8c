#if os(Linux)
import CBackgroundWorkCurl

/// Who has begun an exchange, and hears what becomes of it. Called on the network loop's thread, never from inside
/// libcurl, so that exchanges may be begun and ended here.
protocol ExchangeOwner: AnyObject {
    /// Something has moved since the last turn of the loop.
    func afterTurn()
    /// An exchange has ended; `CURLE_ABORTED_BY_CALLBACK` when the agent itself has ended it.
    func ended(_ exchange: Exchange, code: CURLcode)
}
#endif
