import BackgroundWorkFoundation

/// Where a response goes. Called by one thread at a time.
protocol ResponseSink: Sendable {
    /// The most bytes of a body if the request says nothing; `nil` for any number.
    var usualLimit: Int64? { get }

    /// The head of the final response, before its body.
    func receive(_ head: HTTPResponseHead)

    /// Takes a piece of the body, and returns whether there is room for another one. If not, `proceed` is called when
    /// there is.
    func receive(_ bytes: UnsafeRawBufferPointer, proceed: @escaping @Sendable () -> Void) throws(HTTPError) -> Bool

    /// The pieces that have arrived at the same time were received.
    func endOfPieces()

    /// The response is complete, or has failed. Called once.
    func end(_ error: (any Error)?)
}

extension ResponseSink {
    var usualLimit: Int64? { nil }
    func endOfPieces() {}
}
