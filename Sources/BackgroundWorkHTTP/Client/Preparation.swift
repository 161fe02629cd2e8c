import BackgroundWorkModel
import BackgroundWorkTransfers

/// Runs what changes a request before it is sent, within the request's time limit for the whole.
struct Preparation: Sendable {
    let change: @Sendable (inout HTTPRequest) async throws -> Void
    let clock: any WorkClock

    /// The changed request, with what is left of its time. Throws at once when that is over, or the task is cancelled,
    /// even if the change goes on.
    func prepared(_ request: HTTPRequest) async throws -> HTTPRequest {
        let limit = request.timeouts.resource
        // The transport says what is wrong with it.
        guard limit > .zero else { return try await changed(request) }
        let start = clock.uptime
        let result = try await AbandonableWork.result(within: limit, clock: clock) { try await changed(request) }
        guard var ready = result else { throw late(request) }
        // One that the change has set counts from the beginning as well.
        let rest = ready.timeouts.resource - max(.zero, clock.uptime - start)
        guard ready.timeouts.resource <= .zero || rest > .zero else { throw late(ready) }
        ready.timeouts.resource = rest
        return ready
    }

    private func changed(_ request: HTTPRequest) async throws -> HTTPRequest {
        var request = request
        try await change(&request)
        return request
    }

    private func late(_ request: HTTPRequest) -> HTTPError {
        .timeout(
            "its preparation was not complete after", request.timeouts.resource,
            TransferURL(request.url, method: request.method))
    }
}
