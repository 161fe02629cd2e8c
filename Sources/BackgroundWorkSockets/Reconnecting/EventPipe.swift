import BackgroundWorkHTTP
import Synchronization

/// Events between one who makes them and one who reads them; the former waits while there are many.
final class EventPipe: Sendable {
    private static let most = 8

    private struct State: Sendable {
        var events = FIFO<WebSocketEvent>()
        var reader: Promise<WebSocketEvent?>?
        var writer: Promise<Void>?
        var isFinished = false
    }

    private let state = Mutex(State())

    /// Adds an event, and returns when there is room for another one; at once when the task is cancelled.
    func put(_ event: WebSocketEvent) async {
        let promise = Promise<Void>()
        let isFull = state.withLock { state in
            if let reader = state.reader {
                state.reader = nil
                if reader.resolve(.success(event)) { return false }
            }
            state.events.append(event)
            guard state.events.count >= Self.most else { return false }
            state.writer = promise
            return true
        }
        if isFull { try? await promise.value() }
    }

    /// Ends it, after one more event if there is one. Does not wait.
    func finish(after last: WebSocketEvent?) {
        let reader = state.withLock { state in
            state.isFinished = true
            defer { state.reader = nil }
            if let last, state.reader?.resolve(.success(last)) != true { state.events.append(last) }
            return state.reader
        }
        // Changes nothing if it has just got the last one.
        reader?.resolve(.success(nil))
    }

    /// `nil` at the end, when the task is cancelled, and while another one waits.
    func next() async -> WebSocketEvent? {
        let promise = Promise<WebSocketEvent?>()
        let (event, isWaiting, writer) = state.withLock { state -> (WebSocketEvent?, Bool, Promise<Void>?) in
            if let event = state.events.popFirst() {
                defer { state.writer = nil }
                return (event, false, state.writer)
            }
            guard !state.isFinished, state.reader == nil else { return (nil, false, nil) }
            state.reader = promise
            return (nil, true, nil)
        }
        writer?.resolve(.success(()))
        guard isWaiting else { return event }
        let answer = try? await promise.value()
        if answer == nil { state.withLock { if $0.reader === promise { $0.reader = nil } } }
        return answer ?? nil
    }
}
