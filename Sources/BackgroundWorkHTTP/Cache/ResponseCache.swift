import BackgroundWorkFoundation
import Synchronization

/// Responses that are kept in memory, for one user (a private cache in the sense of RFC 9111), and shared by the requests
/// of one ``APIClient``, or of several that are given the same one.
///
/// A response is given only to requests with the same credentials. The least recently used ones are removed when there
/// are too many. May be used from any isolation; nothing here blocks.
public final class ResponseCache: Sendable {
    private struct Variant: Sendable {
        let id: UInt64
        let selector: CacheSelector
        /// The request's values of the header fields that the response varies by.
        let variation: [String: [String]]
        let stored: CachedResponse
        let bytes: Int
        var lastUse: UInt64

        func answers(_ request: HTTPRequest, _ selector: CacheSelector) -> Bool {
            self.selector == selector && variation.allSatisfy { request.headers.values(of: $0.key) == $0.value }
        }
    }

    private struct State: ~Copyable {
        /// By URL without its fragment.
        var variants: [String: [Variant]] = [:]
        var bytes = 0
        /// Counts uses, and with them the ids.
        var uses: UInt64 = 0
        var invalidations: UInt64 = 0
    }

    /// The most bytes of stored responses, headers and an estimate of the overhead included. A response that needs more
    /// than a quarter of them is not stored.
    public let maximumBytes: Int
    private let state = Mutex(State())

    /// More of one URL are of no use.
    private static let mostVariants = 16
    private static let overhead = 512

    /// Creates an empty cache.
    public init(maximumBytes: Int = 8 << 20) { self.maximumBytes = max(0, maximumBytes) }

    /// How many bytes the stored responses have now, overhead included.
    public var bytes: Int { state.withLock { $0.bytes } }

    /// Removes all responses, as when a user logs out.
    public func removeAll() {
        state.withLock { state in
            state.variants = [:]
            state.bytes = 0
            state.invalidations += 1
        }
    }

    /// Changes whenever something stored was made invalid: a response that was requested before that is not stored.
    var invalidations: UInt64 { state.withLock { $0.invalidations } }

    /// The response that was stored last of those that answer the request.
    func find(_ request: HTTPRequest) -> CachedResponse? {
        let (url, selector) = (Self.key(request.url), CacheSelector(request))
        return state.withLock { state in
            guard let index = state.variants[url]?.lastIndex(where: { $0.answers(request, selector) }) else {
                return nil
            }
            state.uses += 1
            state.variants[url]?[index].lastUse = state.uses
            return state.variants[url]?[index].stored
        }
    }

    /// Stores a response in place of the ones that answer the same request, unless something became invalid since.
    ///
    /// - Parameter invalidations: what ``invalidations`` was before the request was sent.
    func store(_ stored: CachedResponse, for request: HTTPRequest, since invalidations: UInt64) {
        guard let names = CacheRules.variation(of: stored.response) else { return }
        let (url, selector) = (Self.key(request.url), CacheSelector(request))
        let variation = names.map { ($0, request.headers.values(of: $0)) }
        let bytes = Self.size(of: stored, url)
        state.withLock { state in
            guard state.invalidations == invalidations else { return }
            Self.remove(from: &state, url) { $0.answers(request, selector) }
            guard bytes <= maximumBytes / 4 else { return }
            state.uses += 1
            state.variants[url, default: []].append(
                Variant(
                    id: state.uses, selector: selector, variation: Dictionary(variation) { first, _ in first },
                    stored: stored, bytes: bytes, lastUse: state.uses))
            state.bytes += bytes
            if let oldest = state.variants[url], oldest.count > Self.mostVariants,
                let id = oldest.min(by: { $0.lastUse < $1.lastUse })?.id
            {
                Self.remove(from: &state, url) { $0.id == id }
            }
            makeRoom(in: &state)
        }
    }

    /// Removes the responses that answer the request.
    func remove(for request: HTTPRequest) {
        let (url, selector) = (Self.key(request.url), CacheSelector(request))
        state.withLock { state in Self.remove(from: &state, url) { $0.answers(request, selector) } }
    }

    /// Removes all responses for these URLs, whosever they are.
    func invalidate(_ urls: [String]) {
        state.withLock { state in
            state.invalidations += 1
            for url in urls { Self.remove(from: &state, Self.key(url)) { _ in true } }
        }
    }

    /// Removes down to seven eighths at once, so that the order is not made for each response.
    private func makeRoom(in state: inout State) {
        guard state.bytes > maximumBytes else { return }
        let all = state.variants.flatMap { url, variants in variants.map { (url, $0.id, $0.lastUse) } }
        for (url, id, _) in all.sorted(by: { $0.2 < $1.2 }) {
            guard state.bytes > maximumBytes / 8 * 7 else { return }
            Self.remove(from: &state, url) { $0.id == id }
        }
    }

    private static func remove(from state: inout State, _ url: String, where isWanted: (Variant) -> Bool) {
        guard var variants = state.variants[url] else { return }
        state.bytes -= variants.filter(isWanted).reduce(0) { $0 + $1.bytes }
        variants.removeAll(where: isWanted)
        state.variants[url] = variants.isEmpty ? nil : variants
    }

    private static func key(_ url: String) -> String { String(url.prefix { $0 != "#" }) }

    private static func size(of stored: CachedResponse, _ url: String) -> Int {
        let headers = stored.response.headers.fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        return stored.response.body.count + headers + 2 * url.utf8.count + overhead
    }
}
