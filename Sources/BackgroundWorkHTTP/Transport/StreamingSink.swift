import BackgroundWorkFiles
import BackgroundWorkFoundation
import Synchronization

/// Hands a response's body on in pieces, and keeps at most ``mostBytes`` and what arrives at once of it.
final class StreamingSink: ResponseSink {
    /// More than that is not taken from the server until somebody has read what is there.
    private static let mostBytes = 512 << 10

    private struct State: Sendable {
        var pending = Data()
        var isEnded = false
        var error: (any Error)?
        var proceed: (@Sendable () -> Void)?
        var reader: CheckedContinuation<Data?, any Error>?
        /// Takes what waits for the reader.
        mutating func take() -> Result<Data?, any Error>? {
            if !pending.isEmpty {
                defer { pending = Data() }
                return .success(pending)
            }
            if let error { return .failure(error) }
            return isEnded ? .success(nil) : nil
        }
    }

    private let firstPart = FirstAnswer<Result<HTTPResponseHead, any Error>>()
    private let state = Mutex(State())

    /// The head of the response. Call it once.
    func head() async throws -> HTTPResponseHead { try await firstPart.wait().get() }

    /// The next piece, `nil` at the end. Throws an ``HTTPError`` while another call waits for it.
    func next() async throws -> Data? {
        var goOn: (@Sendable () -> Void)?
        defer { goOn?() }
        if let result = state.withLock({ state in
            let result = state.take()
            if result != nil { swap(&goOn, &state.proceed) }
            return result
        }) {
            return try result.get()
        }
        return try await withCheckedThrowingContinuation { continuation in
            let result = state.withLock { state -> Result<Data?, any Error>? in
                if let result = state.take() {
                    swap(&goOn, &state.proceed)
                    return result
                }
                guard state.reader == nil else { return .failure(HTTPError.secondReader) }
                state.reader = continuation
                return nil
            }
            if let result { continuation.resume(with: result) }
        }
    }

    func receive(_ head: HTTPResponseHead) { firstPart.give(.success(head)) }

    func receive(_ bytes: UnsafeRawBufferPointer, proceed: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            state.pending.append(contentsOf: bytes)
            if state.pending.count < Self.mostBytes { return true }
            state.proceed = proceed
            return false
        }
    }

    func endOfPieces() {
        var goOn: (@Sendable () -> Void)?
        defer { goOn?() }
        let (reader, result) = state.withLock { state in
            guard let reader = state.reader, let result = state.take() else {
                return (nil, nil) as (CheckedContinuation<Data?, any Error>?, Result<Data?, any Error>?)
            }
            state.reader = nil
            swap(&goOn, &state.proceed)
            return (reader, result)
        }
        if let reader, let result { reader.resume(with: result) }
    }

    func end(_ error: (any Error)?) {
        firstPart.give(.failure(error ?? CancellationError()))
        state.withLock { state in
            state.isEnded = true
            state.error = error
            state.proceed = nil
            // Who has cancelled wants no more pieces.
            if error is CancellationError { state.pending = Data() }
        }
        endOfPieces()
    }
}
