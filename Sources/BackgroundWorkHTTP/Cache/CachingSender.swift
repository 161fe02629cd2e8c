import BackgroundWorkFoundation
import BackgroundWorkModel

/// Answers requests from a cache where that may be, and sends the others on.
struct CachingSender: Sendable {
    let cache: ResponseCache
    let clock: any WorkClock
    let next: any HTTPSending

    func send(
        _ request: HTTPRequest, _ policy: CachePolicy, progress: (@Sendable (HTTPProgress) -> Void)?
    ) async throws -> HTTPResponse {
        if CacheRules.isUnsafe(request) { return try await sendInvalidating(request, progress) }
        guard policy != .noStore, CacheRules.concern(request) else {
            if policy == .onlyCached { throw NotCachedError(request) }
            return try await next.send(request, progress: progress)
        }
        let limit = request.responseLimit ?? HTTPRequest.usualResponseLimit
        let stored = cache.find(request).flatMap { $0.response.body.count > limit ? nil : $0 }
        if let stored, let response = reused(stored, for: request, policy) { return response }
        switch policy {
        case .onlyCached: throw NotCachedError(request)
        case .reload:
            var forced = request
            if forced.headers["Cache-Control"] == nil { forced.headers["Cache-Control"] = "no-cache" }
            return try await load(forced, progress)
        case .cachedElseLoad, .noStore, .protocolDefined:
            guard let stored, let condition = stored.condition(on: request) else {
                return try await load(request, progress)
            }
            return try await validate(stored, by: condition, of: request, progress)
        }
    }

    private func reused(_ stored: CachedResponse, for request: HTTPRequest, _ policy: CachePolicy) -> HTTPResponse? {
        let now = CacheInstant(clock)
        switch policy {
        case .noStore, .reload: return nil
        case .protocolDefined:
            let wish = CacheControl(request.headers)
            if wish.isNoCache { return nil }
            if let maxAge = wish.maxAge, stored.age(at: now) >= .seconds(maxAge) { return nil }
            return stored.isFresh(at: now) ? stored.reused(at: now) : nil
        case .cachedElseLoad, .onlyCached:
            return stored.isFresh(at: now) || stored.mayBeUsedStale ? stored.reused(at: now) : nil
        }
    }

    private func load(
        _ request: HTTPRequest, _ progress: (@Sendable (HTTPProgress) -> Void)?
    ) async throws -> HTTPResponse {
        let (sent, invalidations) = (CacheInstant(clock), cache.invalidations)
        let response = try await next.send(request, progress: progress)
        keep(response, of: request, sent, invalidations)
        return response
    }

    private func validate(
        _ stored: CachedResponse, by condition: HTTPRequest, of request: HTTPRequest,
        _ progress: (@Sendable (HTTPProgress) -> Void)?
    ) async throws -> HTTPResponse {
        let (sent, invalidations) = (CacheInstant(clock), cache.invalidations)
        let answer = try await next.send(condition, progress: progress)
        guard answer.status == 304 else {
            keep(answer, of: request, sent, invalidations)
            return answer
        }
        // What a redirect has led to says nothing of this URL.
        guard answer.head.redirects == 0, stored.isConfirmed(by: answer) else {
            cache.remove(for: request)
            return try await load(request, progress)
        }
        let confirmed = stored.confirmed(by: answer, sent: sent, received: CacheInstant(clock))
        if CacheRules.mayStore(confirmed.response) {
            cache.store(confirmed, for: request, since: invalidations)
        } else {
            cache.remove(for: request)
        }
        return confirmed.response
    }

    private func keep(_ response: HTTPResponse, of request: HTTPRequest, _ sent: CacheInstant, _ invalidations: UInt64)
    {
        let limit = request.responseLimit ?? HTTPRequest.usualResponseLimit
        // The body of a failure is cut there.
        let isWhole = response.head.isSuccess || response.body.count < limit
        if isWhole, CacheRules.mayStore(response) {
            let stored = CachedResponse(response, sent: sent, received: CacheInstant(clock))
            cache.store(stored, for: request, since: invalidations)
        } else if CacheRules.supersedes(response) {
            cache.remove(for: request)
        }
    }

    /// However it ends: an unsafe request whose response was lost may have had its effect.
    private func sendInvalidating(
        _ request: HTTPRequest, _ progress: (@Sendable (HTTPProgress) -> Void)?
    ) async throws -> HTTPResponse {
        do {
            let response = try await next.send(request, progress: progress)
            cache.invalidate(CacheRules.outdated(by: request, response))
            return response
        } catch {
            cache.invalidate(CacheRules.outdated(by: request, nil))
            throw error
        }
    }
}
