import BackgroundWorkFoundation
import BackgroundWorkModel
import BackgroundWorkTransfers

/// A request to be sent by an ``HTTPTransport``.
public struct HTTPRequest: Sendable {
    /// `http` or `https`.
    public var url: String
    /// Such as `GET`; in capitals, since methods are case-sensitive (RFC 9110, section 9.1).
    public var method: String
    /// Fields whose names speak of a secret (`Authorization`, `Cookie`, `X-Api-Key` and the like) go to the URL's own
    /// origin only, also after redirects. Those that frame a message or concern its connection are the transport's own.
    public var headers: HTTPHeaders
    /// `nil` for none.
    public var body: HTTPBody?
    /// How long its parts may take.
    public var timeouts = HTTPTimeouts()
    /// How many redirects are followed; 0 makes a redirect the response. Never from https to http.
    public var maximumRedirects = 10
    /// The most bytes of a response's body, after decompression; a longer one fails the request. `nil` for
    /// ``usualResponseLimit`` where the body is collected in memory, and for no limit of streams and files.
    public var responseLimit: Int64?
    /// 16 MiB.
    public static let usualResponseLimit: Int64 = 16 << 20
    /// Whether a server is asked to compress the response. It is decompressed as it arrives.
    public var acceptsCompression = true
    /// Whether the server is asked not to compress the response, and one that it compresses nevertheless is
    /// decompressed, unless it is a part of a file. As transfers do; `acceptsCompression` does not count then.
    package var wantsIdentity = false
    /// Basic, digest or bearer. It goes to the URL's own origin only.
    public var authentication: HTTPAuthentication?
    /// Certificates, authorities and pinned keys.
    public var tls = TLSOptions()
    /// The most bytes of bodies a second, in both directions; `nil` for no limit of its own. On Linux only: a URL session
    /// has no limit, so a request with one is refused on Apple's platforms.
    public var bytesPerSecond: Int64?
    /// Header fields that go to the URL's own origin only, whatever their names are.
    package var ownOriginHeaders: Set<String> = []
    /// By which proxy; ``ProxyChoice/automatic`` asks the environment, where the policy allows any address.
    public var proxy = ProxyChoice.automatic
    /// Whether the body of a response that is not 2xx is cut at the limit, instead of failing the request.
    var cutsFailures = false

    /// Creates a request. It is checked when it is sent.
    public init(_ url: String, method: String = "GET", headers: HTTPHeaders = [:], body: HTTPBody? = nil) {
        self.url = url
        self.method = method
        self.headers = headers
        self.body = body
    }
}

extension HTTPRequest {
    /// To be hidden in what the server says.
    var secrets: KnownSecrets {
        var options = TransferOptions()
        (options.authentication, options.tls, options.proxy) = (authentication, tls, proxy)
        return KnownSecrets(of: url, options, headers: headers.fields.map { ($0.name, $0.value) })
    }
}

extension HTTPRequest: CustomStringConvertible {
    /// Method and URL, without user, password and query.
    public var description: String { TransferURL(url, method: method).label }
}

extension HTTPRequest: CustomReflectable {
    /// Without secrets: its URL without user, password, query and fragment.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "url": ShownURL.text(url), "method": method, "headers": headers, "timeouts": timeouts,
                "maximumRedirects": maximumRedirects, "responseLimit": responseLimit as Any,
                "acceptsCompression": acceptsCompression, "bytesPerSecond": bytesPerSecond as Any,
                "authentication": authentication as Any, "tls": tls,
                "proxy": proxy,
            ], displayStyle: .struct)
    }
}

/// The body of a request. Files and streams are sent in constant memory.
public enum HTTPBody: Sendable {
    /// These bytes.
    case bytes(Data)
    /// The content of the regular file at this path, as long as it is when the request begins.
    case file(path: String)
    /// A form with a file.
    case form(HTTPForm)
    /// The pieces of a stream, `length` bytes in all; `nil` when that is not known, which sends them chunked. A stream with
    /// a length has to end after it: the last of its bytes are sent then. It is read once: where a redirect or an
    /// authentication asks for the body again, the request fails.
    case stream(length: Int64?, AsyncThrowingStream<Data, any Error>)
}

/// How long the parts of a request may take. None of them counts while the process is suspended.
public struct HTTPTimeouts: Sendable, Hashable {
    /// Until the connection stands, the name's resolution and TLS included.
    public var connect = Duration.seconds(30)
    /// Between two bytes, in either direction.
    public var request = Duration.seconds(60)
    /// From the call to the last byte of the response, all waits included.
    public var resource = Duration.seconds(7 * 86_400)

    /// The defaults: 30 s, 60 s, 7 days.
    public init() {}

    /// The defaults with some replaced.
    public init(connect: Duration? = nil, request: Duration? = nil, resource: Duration? = nil) {
        if let connect { self.connect = connect }
        if let request { self.request = request }
        if let resource { self.resource = resource }
    }
}
