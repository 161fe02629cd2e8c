import BackgroundWorkFoundation
import BackgroundWorkModel
import BackgroundWorkTransfers
import Synchronization

/// A request under way: what a backend tells of it goes to its sink, within the request's limits.
final class HTTPCall: Sendable {
    /// The answer to a piece of a body.
    enum Answer: Sendable {
        case more
        /// It was taken; the next one has to wait until the sink has called `proceed`.
        case wait
        /// The call has ended.
        case stop
    }

    private struct State: Sendable {
        var isEnded = false
        var hasHead = false
        var isSuccess = false
        var toReceive: Int64?
        var received: Int64 = 0
        var sent: Int64 = 0
        var hasUnreported = false
        var reportedAt: SuspendingClock.Instant?
        var stop: (@Sendable () -> Void)?
        var timer: Task<Void, Never>?
        var proceed: (@Sendable () -> Void)?
        var more: (@Sendable () -> Void)?
    }

    /// How often progress is reported.
    private static let reportInterval = Duration.milliseconds(100)

    let request: PreparedRequest
    let body: (any BodySource)?
    /// When all of it must have ended.
    let deadline: SuspendingClock.Instant
    private let sink: any ResponseSink
    /// The most bytes of the response's body; `nil` for any number.
    private let limit: Int64?
    private let progress: (@Sendable (HTTPProgress) -> Void)?
    private let state = Mutex(State())

    init(
        _ request: PreparedRequest, body: (any BodySource)?, sink: any ResponseSink,
        progress: (@Sendable (HTTPProgress) -> Void)?
    ) {
        self.request = request
        self.body = body
        self.sink = sink
        limit = request.responseLimit ?? sink.usualLimit
        self.progress = progress
        deadline = .now + request.timeouts.resource
    }

    var isEnded: Bool { state.withLock { $0.isEnded } }

    /// What a backend wants to be called when the call was ended from outside, when the response's body may go on, and
    /// when there is more of the request's.
    func control(
        stop: @escaping @Sendable () -> Void, proceed: @escaping @Sendable () -> Void,
        more: @escaping @Sendable () -> Void = {}
    ) {
        let isEnded = state.withLock { state in
            if !state.isEnded { (state.stop, state.proceed, state.more) = (stop, proceed, more) }
            return state.isEnded
        }
        if isEnded { stop() }
    }

    /// There is more of the request's body.
    func hasMore() {
        let more = state.withLock { $0.more }
        more?()
    }

    /// Ends the call when its time is over. For backends without a timer of their own.
    func limitTime() {
        let timer = Task { [weak self, deadline] in
            do { try await Task.sleep(until: deadline, clock: .suspending) } catch { return }
            self?.endLate()
        }
        state.withLock { $0.timer = timer }
        if isEnded { timer.cancel() }
    }

    /// It has taken too long.
    func endLate() {
        end(HTTPError.timeout("it was not complete after", request.timeouts.resource, request.url))
    }

    /// Ends the call with a `CancellationError`, at once.
    func cancel() { end(CancellationError()) }

    /// Ends the call; its backend is told to stop.
    func end(_ error: any Error) {
        let stop = state.withLock { $0.stop }
        if finish(error) { stop?() }
    }

    // MARK: What the backend tells

    /// Takes the head of the final response, unless it is there.
    func receivedIfFirst(_ makeHead: () -> HTTPResponseHead) {
        guard state.withLock({ !$0.hasHead && !$0.isEnded }) else { return }
        let head = makeHead()
        state.withLock { ($0.hasHead, $0.isSuccess, $0.toReceive) = (true, head.isSuccess, head.contentLength) }
        sink.receive(head)
    }

    func received(_ bytes: UnsafeRawBufferPointer) -> Answer {
        let (count, proceed, isSuccess) = state.withLock { state in
            if state.isEnded { return (nil, nil, false) as (Int64?, (@Sendable () -> Void)?, Bool) }
            state.received += Int64(bytes.count)
            state.hasUnreported = true
            return (state.received, state.proceed, state.isSuccess)
        }
        guard let count else { return .stop }
        if let limit, count > limit {
            guard request.cutsFailures, !isSuccess else {
                finish(HTTPError.tooLong(limit: limit, request.url))
                return .stop
            }
            return receiveLast(bytes.prefix(max(0, bytes.count - Int(count - max(0, limit)))))
        }
        do throws(HTTPError) {
            return try sink.receive(bytes, proceed: proceed ?? {}) ? .more : .wait
        } catch {
            finish(error)
            return .stop
        }
    }

    /// Ends the call with what fits of a piece.
    private func receiveLast(_ bytes: Slice<UnsafeRawBufferPointer>) -> Answer {
        do throws(HTTPError) {
            _ = try sink.receive(UnsafeRawBufferPointer(rebasing: bytes)) {}
            finish(nil)
        } catch {
            finish(error)
        }
        return .stop
    }

    func sent(_ bytes: Int) {
        state.withLock { state in
            state.sent += Int64(bytes)
            state.hasUnreported = true
        }
    }

    /// The body is sent again from there.
    func rewound(to offset: Int64) { state.withLock { $0.sent = offset } }

    /// A moment to hand on what has arrived.
    func endOfPieces() {
        sink.endOfPieces()
        guard let progress else { return }
        let now = SuspendingClock.now
        let report = state.withLock { state -> HTTPProgress? in
            guard state.hasUnreported, !state.isEnded, state.reportedAt.map({ now - $0 >= Self.reportInterval }) ?? true
            else { return nil }
            state.reportedAt = now
            state.hasUnreported = false
            return self.report(state)
        }
        if let report { progress(report) }
    }

    private func report(_ state: borrowing State) -> HTTPProgress {
        HTTPProgress(sent: state.sent, toSend: body?.length, received: state.received, toReceive: state.toReceive)
    }

    /// Ends the call, unless it has ended; returns whether it had not.
    @discardableResult
    func finish(_ error: (any Error)?) -> Bool {
        let (isFirst, last, timer) = state.withLock { state -> (Bool, HTTPProgress?, Task<Void, Never>?) in
            if state.isEnded { return (false, nil, nil) }
            state.isEnded = true
            (state.stop, state.proceed, state.more) = (nil, nil, nil)
            return (true, error == nil ? report(state) : nil, state.timer)
        }
        guard isFirst else { return false }
        timer?.cancel()
        if let last { progress?(last) }
        if let error = error as? HTTPError {
            // A server's or libcurl's words may repeat what they were sent.
            sink.end(error.hiding(request.secrets))
        } else {
            sink.end(error)
        }
        body?.cancel()
        return true
    }
}
