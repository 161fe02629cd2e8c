import BackgroundWorkExchange

/// What the threads of a process want of the network's thread.
typealias CurlInbox = CommandInbox<CurlCommand>

enum CurlCommand: Sendable {
    case begin(HTTPCall)
    /// It has ended from outside.
    case stop(HTTPCall)
    /// Its sink has room.
    case hasRoom(HTTPCall)
    /// Its body has more bytes.
    case hasMore(HTTPCall)
    case close
}
