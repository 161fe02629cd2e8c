import BackgroundWorkDevice
import BackgroundWorkFoundation
import BackgroundWorkModel
import BackgroundWorkTransfers

/// Calls a web service that speaks JSON: a base URL, headers for all requests, `Codable` bodies and answers, and errors
/// for every status outside of 2xx.
///
/// ```swift
/// var client = APIClient("https://api.example.com/v2")
/// client.headers["Accept-Language"] = "en"
/// let user: User = try await client.get("users/\(id)")
/// let created: User = try await client.post("users", body: NewUser(name: "Ada"))
/// ```
///
/// It is a value: a changed copy shares the transport and the cache of the original. It sends each request once; see
/// ``retrying`` for more. A request ends with its process: work that must not be lost belongs in a worker. May be used
/// from any isolation.
///
/// Requests throw ``HTTPError`` when there is no complete response, ``APIError`` for its status, ``APIDecodingError`` for
/// its content, and `CancellationError` at once when the task is cancelled.
public struct APIClient: Sendable {
    /// Where all paths begin: `http` or `https`, a host, and perhaps a path; with or without a slash at its end. Checked
    /// when a request is made.
    public var baseURL: String
    /// Sent with each request, unless it has headers of the same names.
    public var headers: HTTPHeaders = ["Accept": "application/json"]
    /// Sent with each request.
    public var authentication: HTTPAuthentication?
    /// For each request: 30 s to connect, 60 s between two bytes, 5 minutes in all, ``prepare`` and the wait for a network
    /// included.
    public var timeouts = HTTPTimeouts(resource: .seconds(300))
    /// The most bytes of a response's body; `nil` for ``HTTPRequest/usualResponseLimit``. A longer one is an error, but
    /// that of a status outside of 2xx is cut.
    public var responseLimit: Int64?
    /// How many bytes of a body are kept in an error.
    public var errorBodyLimit = 4096
    /// How requests use ``cache`` unless they say otherwise.
    public var cachePolicy = CachePolicy.noStore
    /// Whether each request has an `X-Request-Id`, a random UUID by which the server's logs can be searched.
    public var sendsRequestID = true
    /// Whether a request waits for a network while the device has none, instead of failing: within its time limit for
    /// the whole, in which a suspension of the device counts too. A connection that is lost later is an error. Requests
    /// to this machine or to a private address do not wait.
    public var waitsForConnectivity = true
    /// Changes each request before it is sent, for what is in none of these properties: a token that has to be fresh, TLS
    /// options, a proxy. What it throws is thrown by the request. It counts within the request's time limit for the whole;
    /// when that is over, its task is cancelled, and the request fails without waiting for it.
    public var prepare: (@Sendable (inout HTTPRequest) async throws -> Void)?
    /// Makes the encoder of a body. By default dates are strings of ISO 8601 in UTC, with milliseconds unless
    /// these are 0.
    public var makeEncoder: @Sendable () -> JSONEncoder = APICoding.encoder
    /// Makes the decoder of an answer. By default dates are strings of ISO 8601, with or without fractions of a second.
    public var makeDecoder: @Sendable () -> JSONDecoder = APICoding.decoder
    /// The stored responses.
    public let cache: ResponseCache
    private let transport: any HTTPSending
    private let device: any DeviceStateReader
    private let clock: any WorkClock

    static let requestIDName = "X-Request-Id"

    /// Creates a client. It opens nothing before its first request.
    ///
    /// - Parameters:
    ///   - baseURL: see ``baseURL``.
    ///   - transport: may be shared by several clients. Its security policy decides where requests may lead.
    ///   - cache: may be shared by several clients of the same user.
    ///   - device: whose network is waited for; `nil` for this device's.
    ///   - clock: for the age of stored responses, dates in `Retry-After`, and the wait for a network.
    public init(
        _ baseURL: String, transport: HTTPTransport = HTTPTransport(), cache: ResponseCache = ResponseCache(),
        device: (any DeviceStateReader)? = nil, clock: any WorkClock = SystemWorkClock()
    ) {
        self.init(baseURL, sending: transport, cache: cache, device: device, clock: clock)
    }

    package init(
        _ baseURL: String, sending transport: any HTTPSending, cache: ResponseCache = ResponseCache(),
        device: (any DeviceStateReader)? = nil, clock: any WorkClock = SystemWorkClock()
    ) {
        self.baseURL = baseURL
        self.transport = transport
        self.cache = cache
        self.device = device ?? ConnectivitySender.device
        self.clock = clock
    }

    /// A request with this client's properties, for ``send(_:cache:progress:)`` or a transport of your own.
    ///
    /// Throws ``HTTPError`` of the kind ``HTTPError/Kind/invalid`` when the base URL or the path cannot be used.
    public func request(
        _ method: String, _ path: APIPath, query: APIQuery = [:], headers: HTTPHeaders = [:], body: HTTPBody? = nil
    ) throws(HTTPError) -> HTTPRequest {
        let url = try BaseURL(baseURL, method: method).url(of: path, query)
        var all = self.headers
        all.replace(with: headers)
        var request = HTTPRequest(url, method: method, headers: all, body: body)
        request.authentication = authentication
        request.timeouts = timeouts
        request.responseLimit = responseLimit
        return request
    }

    /// Sends a request and returns its response, whose status is from 200 to 299.
    ///
    /// Of this client's properties those count that are not in the request: the cache, the wait for a network, the
    /// request's id, and ``prepare``.
    ///
    /// - Parameters:
    ///   - policy: `nil` for ``cachePolicy``.
    ///   - progress: as of ``HTTPTransport/send(_:progress:)``. Not called for a response of the cache.
    public func send(
        _ request: HTTPRequest, cache policy: CachePolicy? = nil, progress: (@Sendable (HTTPProgress) -> Void)? = nil
    ) async throws -> HTTPResponse {
        try await sent(request, policy, progress).response
    }

    /// The response with the request as it was sent.
    func sent(
        _ request: HTTPRequest, _ policy: CachePolicy?, _ progress: (@Sendable (HTTPProgress) -> Void)? = nil
    ) async throws -> (request: HTTPRequest, response: HTTPResponse) {
        var request = request
        if let prepare { request = try await Preparation(change: prepare, clock: clock).prepared(request) }
        request.cutsFailures = true
        if sendsRequestID, request.headers[Self.requestIDName] == nil {
            request.headers[Self.requestIDName] = UUID().uuidString.lowercased()
        }
        try Task.checkCancellation()
        let next: any HTTPSending =
            waitsForConnectivity ? ConnectivitySender(device: device, clock: clock, next: transport) : transport
        let sender = CachingSender(cache: cache, clock: clock, next: next)
        let response = try await sender.send(request, policy ?? cachePolicy, progress: progress)
        guard response.head.isSuccess else {
            throw APIError(response, of: request, bodyLimit: errorBodyLimit, now: WallTime(clock.now))
        }
        return (request, response)
    }
}

extension APIClient: CustomReflectable {
    /// Without secrets: its base URL without user, password and query.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "baseURL": ShownURL.text(baseURL), "headers": headers, "authentication": authentication as Any,
                "timeouts": timeouts, "responseLimit": responseLimit as Any, "errorBodyLimit": errorBodyLimit,
                "cachePolicy": cachePolicy, "sendsRequestID": sendsRequestID,
                "waitsForConnectivity": waitsForConnectivity,
            ], displayStyle: .struct)
    }
}

/// The URL below which all paths of a client are. What is joined to it changes neither its host nor its path.
struct BaseURL: Sendable {
    private let text: String
    private let method: String

    /// - Parameter method: for messages.
    init(_ text: String, method: String) throws(HTTPError) {
        self.text = text
        self.method = method
        if let complaint = URLSyntax.complaint(about: text) ?? Self.complaint(about: text) {
            throw .invalid("the base URL \(complaint)", TransferURL(text, method: method))
        }
    }

    private static func complaint(about text: String) -> String? {
        text.utf8.contains { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
            ? "has a query or a fragment, which each request has for itself" : nil
    }

    func url(of path: APIPath, _ query: APIQuery) throws(HTTPError) -> String {
        if let problem = path.problem { throw .invalid(problem, TransferURL(text, method: method)) }
        var url = text
        if !path.encoded.isEmpty {
            if !url.hasSuffix("/") { url += "/" }
            if path.encoded != "/" { url += path.encoded }
        }
        return query.isEmpty ? url : "\(url)?\(query.encoded)"
    }
}
