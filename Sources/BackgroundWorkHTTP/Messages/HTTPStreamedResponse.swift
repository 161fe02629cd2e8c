import BackgroundWorkFoundation

/// A response whose body is still arriving.
public struct HTTPStreamedResponse: Sendable {
    /// Status and headers.
    public let head: HTTPResponseHead
    /// The body.
    public let body: HTTPBodyStream
}

/// The body of a response in pieces, decompressed, as they arrive. It is read once, by one task: a
/// second one that asks while the first waits for a piece gets an ``HTTPError``.
///
/// Memory is bounded: of what is not read, about half a megabyte is kept. The rest is not taken from the server, or on
/// Apple's platforms, where a session cannot wait, in a temporary file. The request is cancelled when the stream is
/// released before its end, or the reading task is cancelled.
public struct HTTPBodyStream: AsyncSequence, Sendable {
    /// A piece of the body; never empty.
    public typealias Element = Data

    private let reading: Reading

    init(_ sink: StreamingSink, of call: HTTPCall, keeping transport: HTTPTransport) {
        reading = Reading(sink, call, transport)
    }

    /// Ends the request: what has not arrived is not needed.
    package func cancel() { reading.call.cancel() }

    /// Reads on from where the stream is.
    public func makeAsyncIterator() -> Iterator { Iterator(reading: reading) }

    /// Takes the pieces from the stream.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let reading: Reading

        /// The next piece; `nil` at the end of the body. Throws ``HTTPError`` when the body does not arrive as a whole,
        /// and `CancellationError` when the task is cancelled.
        public func next() async throws -> Data? {
            let reading = reading
            return try await withTaskCancellationHandler {
                try await reading.sink.next()
            } onCancel: {
                reading.call.cancel()
            }
        }
    }

    fileprivate final class Reading: Sendable {
        let sink: StreamingSink
        let call: HTTPCall
        private let transport: HTTPTransport

        init(_ sink: StreamingSink, _ call: HTTPCall, _ transport: HTTPTransport) {
            (self.sink, self.call, self.transport) = (sink, call, transport)
        }

        deinit { call.cancel() }
    }
}

extension HTTPStreamedResponse: CustomReflectable {
    /// Its head.
    public var customMirror: Mirror { Mirror(self, children: ["head": head], displayStyle: .struct) }
}

extension HTTPBodyStream: CustomReflectable {
    /// Nothing: what it belongs to has secrets.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension HTTPBodyStream.Iterator: CustomReflectable {
    /// Nothing, as of the stream.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
