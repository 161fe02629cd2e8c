import BackgroundWorkExchange

/// Frames that are being sent. They stay at one address until all of them were, as OpenSSL asks for.
struct SendBuffer {
    private var bytes: [UInt8] = []
    private var sent = 0
    private var promises: [Promise<Void>] = []
    /// Bytes that the system has taken, of all frames.
    private(set) var sentBytes: UInt64 = 0
    /// Whether the system has no room for more.
    private(set) var isBlocked = false

    init(_ bytes: [UInt8] = []) { self.bytes = bytes }

    var isEmpty: Bool { sent == bytes.count }

    /// Sends what is here, and then what `next` has, until that is empty or the system has no room.
    ///
    /// - Parameter next: bytes, and who waits for them to be sent.
    mutating func flush(
        to connection: CurlRequest, next: () -> (bytes: [UInt8], sent: [Promise<Void>])
    ) throws(CurlFailure) {
        isBlocked = false
        while true {
            if isEmpty {
                for promise in promises { promise.resolve(.success(())) }
                sent = 0
                (bytes, promises) = next()
                if bytes.isEmpty { return }
            }
            let result = bytes.withUnsafeBytes { bytes in
                Result { () throws(CurlFailure) in
                    try connection.send(UnsafeRawBufferPointer(rebasing: bytes[sent...]))
                }
            }
            guard let count = try result.get() else {
                isBlocked = true
                return
            }
            sent += count
            sentBytes += UInt64(count)
        }
    }

    /// Tells those who still wait.
    func fail(_ error: WebSocketError) {
        for promise in promises { promise.resolve(.failure(error)) }
    }
}
