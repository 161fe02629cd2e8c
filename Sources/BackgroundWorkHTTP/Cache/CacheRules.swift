import BackgroundWorkFoundation
import BackgroundWorkTransfers

/// What a private cache stores, whom it belongs to, and what makes it invalid (RFC 9111, sections 3, 4 and 4.4). Pure.
enum CacheRules {
    /// Header fields with which a caller asks for a part, or validates for itself.
    private static let conditions = [
        "If-Match", "If-Modified-Since", "If-None-Match", "If-Range", "If-Unmodified-Since", "Range",
    ]
    /// Statuses whose responses are stored, and those that are stored only if the server says for how long.
    private static let storable: Set<Int> = [200, 203]
    private static let storableIfLimited: Set<Int> = [301, 308, 404, 410]
    /// Methods that change nothing (RFC 9110, section 9.2.1).
    private static let safeMethods: Set<String> = ["GET", "HEAD", "OPTIONS", "TRACE"]

    /// Whether the request may use the cache at all.
    static func concern(_ request: HTTPRequest) -> Bool {
        guard request.method == "GET", request.body == nil else { return false }
        return conditions.allSatisfy { request.headers.values(of: $0).isEmpty }
            && !CacheControl(request.headers).isNoStore
    }

    static func mayStore(_ response: HTTPResponse) -> Bool {
        // What a redirect led to is stored for no URL: the redirect itself may lead elsewhere next time.
        guard response.head.redirects == 0, variation(of: response) != nil else { return false }
        let control = CacheControl(response.headers)
        if control.isNoStore { return false }
        let isLimited = control.maxAge != nil || !response.headers.values(of: "Expires").isEmpty
        return storable.contains(response.status) || (isLimited && storableIfLimited.contains(response.status))
    }

    /// Whether a response replaces what was stored before, even if it is not stored itself. A failing server says
    /// nothing of the resource.
    static func supersedes(_ response: HTTPResponse) -> Bool { response.status < 500 && response.status != 429 }

    /// The names of `Vary`, in lower case; `nil` if the response varies by what the cache cannot know: anything (`*`),
    /// or cookies, which the transport adds.
    static func variation(of response: HTTPResponse) -> Set<String>? {
        let list = response.headers.values(of: "Vary").joined(separator: ",").lowercased()
        let names = Set(list.split { $0 == "," || $0 == " " || $0 == "\t" }.map(String.init))
        return names.contains("*") || names.contains("cookie") ? nil : names
    }

    static func isUnsafe(_ request: HTTPRequest) -> Bool { !safeMethods.contains(request.method) }

    /// The URLs whose stored responses an unsafe request has made invalid: its own, and those of the same origin that
    /// the response names.
    static func outdated(by request: HTTPRequest, _ response: HTTPResponse?) -> [String] {
        var urls = [request.url]
        guard let response else { return urls }
        urls.append(response.head.url)
        let parts = URLParts(request.url)
        let origin = RequestOrigin(request.url)
        for name in ["Location", "Content-Location"] {
            guard let place = response.headers.values(of: name).first else { continue }
            if place.hasPrefix("/"), !place.hasPrefix("//") {
                urls.append(parts.redacted.dropLast(parts.path.count) + place)
            } else if RequestOrigin(place) == origin {
                urls.append(place)
            }
        }
        return urls
    }
}

/// Whose response it is and which one of a URL's: two requests share a stored response if these are equal.
struct CacheSelector: Sendable, Hashable {
    /// The header fields that prove who the client is, names in lower case.
    private let secrets: [String: [String]]
    private let authentication: HTTPAuthentication?
    private let tls: TLSOptions

    init(_ request: HTTPRequest) {
        let secret = request.headers.fields.filter { SecretHeader.isSecret($0.name) }
        secrets = Dictionary(grouping: secret) { $0.name.lowercased() }.mapValues { $0.map(\.value) }
        authentication = request.authentication
        tls = request.tls
    }
}
