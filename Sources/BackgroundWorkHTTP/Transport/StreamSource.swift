import BackgroundWorkFoundation
import BackgroundWorkTransfers
import Synchronization

/// A body whose pieces come from a stream. It is read once.
final class StreamSource: BodySource {
    private struct State: Sendable {
        var task: Task<Void, Never>?
        var isTaken = false
    }

    let length: Int64?
    private let stream: AsyncThrowingStream<Data, any Error>
    private let url: TransferURL
    private let pieces = PieceQueue()
    private let state = Mutex(State())

    init(_ stream: AsyncThrowingStream<Data, any Error>, length: Int64?, for url: TransferURL) {
        (self.stream, self.length, self.url) = (stream, length, url)
    }

    func begin(arrived: @escaping @Sendable () -> Void) {
        pieces.begin(arrived: arrived)
        let task = Task { [stream, length, url, pieces] in
            var count: Int64 = 0
            // Those that complete the length: they go when the stream has ended, since there is no way back then.
            var last = Data()
            do {
                for try await piece in stream {
                    count += Int64(piece.count)
                    if let length, count > length { break }
                    if count == length {
                        last += piece
                        continue
                    }
                    await withCheckedContinuation { room in pieces.add(piece) { room.resume() } }
                    if pieces.isCancelled { return }
                }
                if let length, count != length {
                    throw HTTPError.invalid(
                        "the stream of its body has \(count > length ? "more" : "only \(count)") bytes, but its length "
                            + "says \(length)", url)
                }
                let end = last
                await withCheckedContinuation { room in pieces.add(end) { room.resume() } }
                pieces.end(.success(()))
            } catch let error as HTTPError {
                pieces.end(.failure(error))
            } catch {
                pieces.end(
                    .failure(
                        HTTPError(
                            kind: .invalid, message: "\(url.label): the stream of its body has failed: \(error)",
                            isRetryable: false)))
            }
        }
        state.withLock { $0.task = task }
        if pieces.isCancelled { task.cancel() }
    }

    func take(into space: UnsafeMutableRawBufferPointer) -> BodyPiece {
        let piece = pieces.take(into: space)
        if case .bytes(1...) = piece { state.withLock { $0.isTaken = true } }
        return piece
    }

    func rewind(to offset: Int64) -> Bool { offset == 0 && state.withLock { !$0.isTaken } }

    func cancel() {
        pieces.cancel()
        state.withLock { $0.task }?.cancel()
    }
}
