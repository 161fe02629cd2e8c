/// How a request uses the response cache of its ``APIClient``. Only `GET` requests without a body do.
public enum CachePolicy: Sendable, Hashable {
    /// Nothing is taken from the cache or kept in it.
    case noStore
    /// A stored response that is fresh by RFC 9111 is the response; one that is not is validated with the server
    /// (`ETag`, `Last-Modified`), or loaded again. A response without an explicit age limit is never fresh.
    case protocolDefined
    /// Always loaded from the server, which also caches on the way are asked for; the response is kept.
    case reload
    /// A stored response, no matter how old, unless the server has forbidden that (`no-cache`, `must-revalidate`).
    /// Otherwise as ``protocolDefined``.
    case cachedElseLoad
    /// As ``cachedElseLoad``, but the server is never asked: without a stored response the request throws
    /// ``NotCachedError``.
    case onlyCached
}

/// A request with ``CachePolicy/onlyCached`` has no stored response that may be used.
public struct NotCachedError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Which request, and what to do.
    public let description: String

    init(_ request: HTTPRequest) {
        description = "\(request): no stored response may be used. Load it once with another cache policy."
    }
}
