import BackgroundWorkFoundation
import BackgroundWorkModel
import BackgroundWorkTransfers

/// An instant on both clocks. Ages are measured on the monotonic one, so a wall clock that is set changes none.
struct CacheInstant: Sendable, Hashable {
    let wall: WallTime
    let uptime: Duration

    init(wall: WallTime, uptime: Duration) {
        self.wall = wall
        self.uptime = uptime
    }

    init(_ clock: any WorkClock) { self.init(wall: WallTime(clock.now), uptime: clock.uptime) }
}

/// A response as a private cache keeps it, with the rules for its age (RFC 9111, section 4.2). Pure.
struct CachedResponse: Sendable {
    let response: HTTPResponse
    private let control: CacheControl
    /// How old it was when it arrived.
    private let initialAge: Duration
    private let lifetime: Duration
    private let received: Duration

    /// - Parameters:
    ///   - sent: when the request was begun.
    ///   - received: when the response was complete.
    init(_ response: HTTPResponse, sent: CacheInstant, received: CacheInstant) {
        self.response = response
        control = CacheControl(response.headers)
        self.received = received.uptime
        let date = Self.date("Date", in: response)
        let apparent = date.map { max(.zero, Duration.between($0, received.wall)) } ?? .zero
        let told = response.headers.values(of: "Age").first.flatMap(CacheControl.seconds) ?? 0
        initialAge = max(apparent, .seconds(told) + max(.zero, received.uptime - sent.uptime))
        lifetime = Self.lifetime(of: response, control, date: date ?? received.wall)
    }

    /// Without a limit that the server has set it is zero: there is no guessing.
    private static func lifetime(of response: HTTPResponse, _ control: CacheControl, date: WallTime) -> Duration {
        if let maxAge = control.maxAge { return .seconds(maxAge) }
        // An invalid date, such as 0, is in the past (RFC 9111, section 5.3).
        return Self.date("Expires", in: response).map { max(.zero, Duration.between(date, $0)) } ?? .zero
    }

    private static func date(_ name: String, in response: HTTPResponse) -> WallTime? {
        response.headers.values(of: name).first.flatMap(HTTPDate.milliseconds).map(WallTime.init(milliseconds:))
    }

    func age(at instant: CacheInstant) -> Duration { initialAge + max(.zero, instant.uptime - received) }

    /// Whether it may be used without asking the server.
    func isFresh(at instant: CacheInstant) -> Bool { !control.isNoCache && age(at: instant) < lifetime }

    /// Whether it may be used although it is not fresh, by a caller who prefers that.
    var mayBeUsedStale: Bool { !control.isNoCache && !control.mustRevalidate }

    /// The response with its age, which tells that it was stored (RFC 9111, section 5.1).
    func reused(at instant: CacheInstant) -> HTTPResponse {
        var headers = response.headers
        headers["Age"] = "\(age(at: instant).components.seconds)"
        return response.with(headers: headers)
    }
}

/// Validation (RFC 9111, section 4.3).
extension CachedResponse {
    private var entityTag: String? { response.headers.values(of: "ETag").first }
    private var lastModified: String? { response.headers.values(of: "Last-Modified").first }

    /// The request as a question whether this response is still valid; `nil` if the response has nothing to ask with.
    func condition(on request: HTTPRequest) -> HTTPRequest? {
        guard entityTag != nil || lastModified != nil else { return nil }
        var conditional = request
        if let entityTag { conditional.headers["If-None-Match"] = entityTag }
        if let lastModified { conditional.headers["If-Modified-Since"] = lastModified }
        return conditional
    }

    /// Whether a 304 is about this response: one that names another entity tag is not.
    func isConfirmed(by answer: HTTPResponse) -> Bool {
        guard let named = answer.headers.values(of: "ETag").first, let entityTag else { return true }
        return Self.opaque(named) == Self.opaque(entityTag)
    }

    /// This response with the header fields of a 304 and the age that it gives.
    func confirmed(by answer: HTTPResponse, sent: CacheInstant, received: CacheInstant) -> CachedResponse {
        var headers = response.headers
        // Those that are stored are about the former response.
        headers["Age"] = nil
        headers["Date"] = nil
        headers.replace(with: HTTPHeaders(answer.headers.fields.filter { !Self.isAboutBody($0.name) }))
        return CachedResponse(response.with(headers: headers), sent: sent, received: received)
    }

    /// Whether a 304 leaves this header field alone (RFC 9111, section 3.2).
    private static func isAboutBody(_ name: String) -> Bool {
        HeaderSyntax.isTransportOwned(name)
            || ["content-encoding", "content-range", "content-type"].contains(name.lowercased())
    }

    private static func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }
}

extension HTTPResponse {
    fileprivate func with(headers: HTTPHeaders) -> HTTPResponse {
        let head = HTTPResponseHead(status: status, headers: headers, url: head.url, redirects: head.redirects)
        return HTTPResponse(head: head, body: body)
    }
}

extension Duration {
    fileprivate static func between(_ start: WallTime, _ end: WallTime) -> Duration {
        .milliseconds(end.milliseconds) - .milliseconds(start.milliseconds)
    }
}
