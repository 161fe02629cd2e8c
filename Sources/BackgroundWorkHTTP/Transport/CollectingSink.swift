import BackgroundWorkFiles
import BackgroundWorkFoundation
import Synchronization

/// Collects a response's body in memory.
final class CollectingSink: ResponseSink {
    private struct State: Sendable {
        var head: HTTPResponseHead?
        var body = Data()
    }

    private let state = Mutex(State())
    private let ending = FirstAnswer<Result<HTTPResponse, any Error>>()

    var usualLimit: Int64? { HTTPRequest.usualResponseLimit }

    /// The whole response. Call it once.
    func response() async throws -> HTTPResponse { try await ending.wait().get() }

    func receive(_ head: HTTPResponseHead) {
        state.withLock { state in
            state.head = head
            // What a server announces is only believed up to a point.
            if let length = head.contentLength, length > 0 { state.body.reserveCapacity(Int(min(length, 1 << 20))) }
        }
    }

    func receive(_ bytes: UnsafeRawBufferPointer, proceed: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { $0.body.append(contentsOf: bytes) }
        return true
    }

    func end(_ error: (any Error)?) {
        let state = state.withLock { state in
            defer { state.body = Data() }
            return state
        }
        if let error {
            ending.give(.failure(error))
        } else if let head = state.head {
            ending.give(.success(HTTPResponse(head: head, body: state.body)))
        } else {
            ending.give(.failure(CancellationError()))
        }
    }
}
