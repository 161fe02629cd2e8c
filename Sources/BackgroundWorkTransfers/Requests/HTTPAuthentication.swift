/// The credentials of a transfer. It is sent to the URL's own origin only, never to one that a redirect leads to.
public enum HTTPAuthentication: Sendable, Hashable {
    /// RFC 7617. The password is sent readable, so use https.
    case basic(user: String, password: String)
    /// RFC 7616.
    case digest(user: String, password: String)
    /// RFC 6750.
    case bearer(token: String)
}

extension HTTPAuthentication: Codable {
    private enum Scheme: String, Codable { case basic, digest, bearer }
    private enum CodingKeys: String, CodingKey { case scheme, user, password, token }

    /// `{"scheme":"basic","user":…,"password":…}`, `{"scheme":"digest",…}` or `{"scheme":"bearer","token":…}`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        // Not by the type's own coding, whose error repeats the value.
        guard let scheme = Scheme(rawValue: try container.decode(String.self, forKey: .scheme)) else {
            throw DecodingError.dataCorruptedError(
                forKey: .scheme, in: container, debugDescription: "not basic, digest or bearer")
        }
        switch scheme {
        case .basic:
            self = .basic(
                user: try container.decode(String.self, forKey: .user),
                password: try container.decode(String.self, forKey: .password))
        case .digest:
            self = .digest(
                user: try container.decode(String.self, forKey: .user),
                password: try container.decode(String.self, forKey: .password))
        case .bearer: self = .bearer(token: try container.decode(String.self, forKey: .token))
        }
    }

    /// See ``init(from:)``.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .basic(let user, let password):
            try container.encode(Scheme.basic, forKey: .scheme)
            try container.encode(user, forKey: .user)
            try container.encode(password, forKey: .password)
        case .digest(let user, let password):
            try container.encode(Scheme.digest, forKey: .scheme)
            try container.encode(user, forKey: .user)
            try container.encode(password, forKey: .password)
        case .bearer(let token):
            try container.encode(Scheme.bearer, forKey: .scheme)
            try container.encode(token, forKey: .token)
        }
    }
}

/// Where a new bearer token comes from when the server answers 401: one request with a JSON response. The transfer is
/// then retried once with that token; a second 401 fails it.
public struct TokenRefresh: Sendable, Hashable, Codable {
    /// The token endpoint's URL.
    public var url: String
    /// `POST` unless said otherwise.
    public var method: String
    /// The headers of the refresh request.
    public var headers: [String: String]
    /// Its body, as it is sent.
    public var body: String?
    /// The path of the token in the response: member names with dots between, such as `data.access_token`.
    public var tokenPath: String

    /// Creates the request; the token is taken from `tokenPath` of its answer.
    public init(
        url: String, method: String = "POST", headers: [String: String] = [:], body: String? = nil,
        tokenPath: String = "access_token"
    ) {
        self.url = url
        self.method = method
        self.headers = headers
        self.body = body
        self.tokenPath = tokenPath
    }

    /// Everything but `url` may be left out.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            url: try container.decode(String.self, forKey: .url),
            method: try container.decodeIfPresent(String.self, forKey: .method) ?? "POST",
            headers: try container.decodeIfPresent([String: String].self, forKey: .headers) ?? [:],
            body: try container.decodeIfPresent(String.self, forKey: .body),
            tokenPath: try container.decodeIfPresent(String.self, forKey: .tokenPath) ?? "access_token")
    }
}
