import BackgroundWorkFoundation

/// The body of a request. Files and streams are sent in constant memory.
public enum HTTPBody: Sendable {
    /// These bytes.
    case bytes(Data)
    /// The content of the regular file at this path, as long as it is when the request begins.
    case file(path: String)
    /// A form with a file.
    case form(HTTPForm)
    /// The pieces of a stream, `length` bytes in all; `nil` when that is not known, which sends them chunked. It is read
    /// once: where a redirect or an authentication asks for the body again, the request fails.
    case stream(length: Int64?, AsyncThrowingStream<Data, any Error>)
}
